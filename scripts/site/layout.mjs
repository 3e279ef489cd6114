import { relativeUrl } from "./collect.mjs";
import { escapeHtml } from "./markdown.mjs";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

export function layout(page, groups) {
  const to = (url) => relativeUrl(page.url, url);
  return `<!doctype html>
<html lang="en" data-root="${to("index.html").slice(0, -"index.html".length)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}${page.path === "README.md" ? "" : " · harness"}</title>
<link rel="stylesheet" href="${to("assets/style.css")}">
<script src="${to("assets/site.js")}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="${to("index.html")}">harness</a>
<search>
<input id="search" type="search" placeholder="Search the docs" aria-label="Search the docs" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="results" role="listbox" aria-label="Results" hidden></div>
</search>
<button id="theme" type="button" aria-label="Switch between light and dark">◐</button>
</header>
<div class="columns">
<nav aria-label="Pages"><details id="menu" open><summary>Menu</summary>
${groups.map((group) => menuGroup(group, page, to)).join("\n")}
</details></nav>
<main id="main" tabindex="-1">
${page.html}
</main>
${contents(page)}
</div>
</body>
</html>
`;
}

/** Long lists stay folded, except the one you are in. */
function menuGroup({ title, pages }, current, to) {
  const isOpen = pages.includes(current) || pages.length < 16;
  const items = pages.map(
    (page) => `<li><a href="${to(page.url)}"${page === current ? ' aria-current="page"' : ""}>${escapeHtml(page.title)}</a></li>`,
  );
  return `<details${isOpen ? " open" : ""}><summary>${title}</summary><ul>${items.join("")}</ul></details>`;
}

function contents({ headings }) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return "";
  const items = shown.map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></aside>`;
}
