import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { escapeHtml, renderMarkdown } from "./markdown.mjs";

const PROJECT_PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md", "AGENTS.md"];
const PICTURE = /\.(?:png|svg|jpe?g|gif|webp)$/;
const IS_EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;

/**
 * @typedef {object} Page
 * @property {string} path in the repository
 * @property {string} url in the site
 * @property {string} title
 * @property {string} html
 * @property {{ level: number, id: string, text: string }[]} headings
 * @property {{ from: string, to: string, hash: string }[]} links to other pages and to anchors
 * @property {boolean} isSource a source file or a folder that some page links to
 */

/** All pages by path, and the pictures they show. Linked source files and folders become pages too, so that no link leaves the site. */
export function collect(root) {
  const pages = new Map();
  const files = new Set();
  const queue = [...PROJECT_PAGES, ...markdownBelow(root, "docs")].filter((path) => existsSync(join(root, path)));
  const missing = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (pages.has(path)) continue;
    const page = pageOf(root, path);
    pages.set(path, page);
    page.html = page.html.replace(/(<[^>]+?\s)(href|src)="([^"]*)"/g, (whole, before, name, address) => {
      if (IS_EXTERNAL.test(address) || address.startsWith("//")) return whole;
      const [file, hash] = splitHash(address.replaceAll("&amp;", "&"));
      const to = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(file))).replace(/\/$/, "");
      if (to.startsWith("..") || !existsSync(join(root, to))) {
        missing.push({ from: path, to: address });
        return whole;
      }
      if (PICTURE.test(to)) {
        files.add(to);
        return `${before}${name}="${relativeUrl(page.url, to)}"`;
      }
      const target = isFolder(root, to) && existsSync(join(root, to, "README.md")) ? posix.join(to, "README.md") : to;
      queue.push(target);
      page.links.push({ from: path, to: target, hash });
      return `${before}${name}="${target === path ? "" : relativeUrl(page.url, urlOf(root, target))}${hash}"`;
    });
  }
  for (const { from, to } of missing) pages.get(from).links.push({ from, to, hash: "" });
  return { pages, files };
}

/** @returns {Page} */
function pageOf(root, path) {
  const common = { path, url: urlOf(root, path), links: [] };
  if (isFolder(root, path)) {
    const names = readdirSync(join(root, path), { withFileTypes: true }).map((entry) => entry.name + (entry.isDirectory() ? "/" : ""));
    const list = names.sort().map((name) => `<li><code>${escapeHtml(name)}</code></li>`);
    return { ...common, title: `${path}/`, html: `<h1>${escapeHtml(path)}/</h1><ul>${list.join("")}</ul>`, headings: [], isSource: true };
  }
  const text = readFileSync(join(root, path), "utf8");
  if (path.endsWith(".md")) {
    const rendered = renderMarkdown(text);
    return { ...common, title: rendered.headings[0]?.text ?? path, isSource: !isDocument(path), ...rendered };
  }
  const html = `<h1>${escapeHtml(path)}</h1><pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
  return { ...common, title: path, html, headings: [], isSource: true };
}

/** `docs/guides/run.md` is `docs/guides/run.html`; a README is the index of its folder; `src/index.ts` is `src/index.ts.html`. */
function urlOf(root, path) {
  if (isFolder(root, path)) return posix.join(path, "files.html");
  if (!path.endsWith(".md")) return `${path}.html`;
  return posix.join(posix.dirname(path), posix.basename(path) === "README.md" ? "index.html" : `${posix.basename(path, ".md")}.html`);
}

export function relativeUrl(from, to) {
  return posix.relative(posix.dirname(from), to);
}

function isDocument(path) {
  return path.startsWith("docs/") || PROJECT_PAGES.includes(path);
}

function isFolder(root, path) {
  return statSync(join(root, path)).isDirectory();
}

function splitHash(address) {
  const at = address.indexOf("#");
  return at === -1 ? [address, ""] : [address.slice(0, at), address.slice(at)];
}

function markdownBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => posix.join(folder, file.replaceAll("\\", "/")))
    .sort();
}
