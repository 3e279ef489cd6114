import { render } from "preact";
import { Page } from "./page.tsx";
import { applyTheme } from "./theme.ts";

applyTheme();
const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<Page />, root);
}
