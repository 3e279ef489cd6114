import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: true });

// The site's policy forbids style attributes; markdown-it aligns cells with them.
for (const cell of ["th_open", "td_open"]) {
  markdown.renderer.rules[cell] = (tokens, i, options, _env, self) => {
    const token = tokens[i];
    const align = /text-align:(\w+)/.exec(token.attrGet("style") ?? "")?.[1];
    token.attrs = align === undefined ? null : [["class", align]];
    return self.renderToken(tokens, i, options);
  };
}
// Wide tables and code scroll on their own, also with the keyboard.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => "</table></div>\n";
markdown.renderer.rules.fence = (tokens, i) => {
  const { content, info } = tokens[i];
  const code = escapeHtml(content);
  const shown = info.trim() === "console" ? code.replace(/^\$ .*$/gm, (line) => `<b>${line}</b>`) : code;
  return `<pre tabindex="0"><code>${shown}</code></pre>\n`;
};

/** The page as HTML, every heading with the anchor that GitHub gives it. */
export function renderMarkdown(text) {
  const tokens = markdown.parse(text, {});
  const seen = new Map();
  const headings = [];
  for (const [i, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const plain = plainText(tokens[i + 1]);
    const slug = slugOf(plain);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet("id", id);
    headings.push({ level: Number(token.tag.slice(1)), id, text: plain });
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings };
}

function plainText(inline) {
  return (inline.children ?? [])
    .map(({ type, content }) => (type === "text" || type === "code_inline" ? content : type === "softbreak" ? " " : ""))
    .join("");
}

/** As GitHub does it: lower case, punctuation dropped, spaces as dashes. */
function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
}
