import { render } from "preact";
import { Page } from "./page.tsx";
import { keepToken, onNewToken } from "./source/index.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
keepToken();
onNewToken(() => location.reload());
const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<Page />, root);
}
