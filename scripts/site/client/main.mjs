import { setUpSearch } from "./search.mjs";
import { setUpTheme } from "./theme.mjs";

setUpTheme();
document.addEventListener("DOMContentLoaded", () => {
  setUpSearch();
  if (matchMedia("(max-width: 60rem)").matches) document.getElementById("menu").open = false;
});
