import MarkdownIt, { type Token } from "markdown-it";
import { type ComponentChildren, h, type VNode } from "preact";
import { useMemo } from "preact/hooks";
import { printable } from "../../src/pure/base/index.ts";
import { LongText } from "./long-text.tsx";

/** Longer texts are shown as plain text. */
const LONGEST = 40_000;
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

/**
 * An agent's Markdown. It never becomes HTML text: each token becomes an element from this list, and its text a text node. Links may
 * only lead to the web or to mail, and images become links, so that nothing is loaded.
 */
export function Markdown({ text }: { readonly text: string }) {
  const body = useMemo(() => (text.length > LONGEST ? <LongText text={text} /> : elements(parser.parse(printable(text), {}))), [text]);
  return <div class="markdown">{body}</div>;
}

const ELEMENTS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td em strong s hr br code pre".split(" "),
);

interface Open {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  readonly children: ComponentChildren[];
}

function elements(tokens: readonly Token[]): ComponentChildren[] {
  const root: Open = { tag: "div", attributes: {}, children: [] };
  const open: Open[] = [root];
  for (const token of tokens) {
    const top = open[open.length - 1] ?? root;
    if (token.nesting > 0) open.push({ tag: token.tag, attributes: attributesOf(token), children: [] });
    else if (token.nesting < 0) {
      if (open.length === 1) continue;
      open.pop();
      (open[open.length - 1] ?? root).children.push(element(top));
    } else top.children.push(...single(token));
  }
  return root.children;
}

function element({ tag, attributes, children }: Open): ComponentChildren {
  if (tag === "a")
    return attributes["href"] === undefined
      ? children
      : h("a", { ...attributes, rel: "noreferrer noopener", target: "_blank" }, ...children);
  // Headings of a message rank below those of the page.
  const name = /^h[1-6]$/.test(tag) ? "h4" : tag;
  return ELEMENTS.has(name) ? (h(name, attributes, ...children) as VNode) : children;
}

function single(token: Token): ComponentChildren[] {
  switch (token.type) {
    case "inline":
      return elements(token.children ?? []);
    case "fence":
    case "code_block":
      return [
        <pre key={token.map?.[0]} tabIndex={0}>
          <code>{token.content}</code>
        </pre>,
      ];
    case "code_inline":
      return [<code>{token.content}</code>];
    case "softbreak":
      return ["\n"];
    case "hardbreak":
      return [<br />];
    case "hr":
      return [<hr />];
    case "image":
      return [
        element({ tag: "a", attributes: linkTo(String(token.attrGet("src"))), children: [`image: ${token.content || "no description"}`] }),
      ];
    default:
      return [token.content];
  }
}

function attributesOf(token: Token): Record<string, string> {
  if (token.tag === "a") return linkTo(String(token.attrGet("href")));
  const start = token.tag === "ol" ? String(token.attrGet("start")) : "";
  return /^\d{1,9}$/.test(start) ? { start } : {};
}

function linkTo(href: string): Record<string, string> {
  return /^(https?:\/\/|mailto:)/i.test(href) ? { href, title: href } : {};
}
