import { find } from "./find.mjs";

/** `/` or Ctrl-K focuses the search, the arrows choose, Enter opens, Escape closes. */
export function setUpSearch() {
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const { root } = document.documentElement.dataset;
  let chosen = -1;

  function show() {
    const found = find(globalThis.searchIndex ?? [], input.value);
    results.replaceChildren(...found.map((result, i) => rowOf(result, i, root)));
    if (found.length === 0) results.append(element("p", "empty", globalThis.searchIndex === undefined ? "Loading …" : "Nothing found"));
    open(input.value.trim() !== "");
    choose(found.length > 0 ? 0 : -1);
  }

  function open(isOpen) {
    results.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
  }

  function choose(next) {
    const rows = results.querySelectorAll("a");
    rows[chosen]?.setAttribute("aria-selected", "false");
    chosen = rows.length === 0 ? -1 : (next + rows.length) % rows.length;
    const row = rows[chosen];
    if (row === undefined) return input.removeAttribute("aria-activedescendant");
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", row.id);
  }

  input.addEventListener("focus", () => loadIndex(root, show), { once: true });
  input.addEventListener("focus", () => input.value.trim() !== "" && show());
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") results.querySelectorAll("a")[chosen]?.click();
    else if (event.key === "Escape") {
      if (results.hidden) input.blur();
      open(false);
    } else return;
    event.preventDefault();
  });
  results.addEventListener("click", () => open(false));
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("search") === null) open(false);
  });
  document.addEventListener("keydown", (event) => {
    const isShortcut = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (!isShortcut || event.target.closest("input, textarea") !== null) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

function loadIndex(root, then) {
  const script = document.createElement("script");
  script.src = `${root}assets/search-index.js`;
  script.addEventListener("load", then);
  document.head.append(script);
}

function rowOf({ url, title, heading, snippet }, i, root) {
  const row = element("a");
  row.href = root + url;
  row.id = `result-${i}`;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", "false");
  row.tabIndex = -1;
  const text = element("span", "snippet");
  text.append(...snippet.map((piece) => element(piece.isHit ? "mark" : "span", "", piece.text)));
  row.append(element("span", "where", heading === "" ? title : `${title} › ${heading}`), text);
  return row;
}

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.textContent = text;
  return made;
}
