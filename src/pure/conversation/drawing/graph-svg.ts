import { clip, xmlText } from "../../base/index.ts";
import type { Step } from "../step.ts";
import { MARGIN, type Part, picture } from "./picture.ts";
import { tones } from "./tones.ts";

/** Room for the title, above the picture. */
const HEAD = 26;

/** A self-contained SVG: no script, no font, nothing to load. Follows the reader's light or dark mode. */
export function graphSvg(steps: readonly Step[], title: string): string {
  const { width, height: inner, parts } = picture(steps);
  const height = inner + HEAD;
  const { page, ink } = tones;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${xmlText(clip(title, 200))}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="f-page" fill="${page.light}" width="100%" height="100%"/>`,
    `<text class="head f-ink" fill="${ink.light}" x="${MARGIN}" y="${MARGIN + 2}">${xmlText(clip(title, Math.floor(width / 8)))}</text>`,
    `<g transform="translate(0 ${HEAD})">`,
    ...parts.map((part) => written(part)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function written({ name, attributes, children }: Part): string {
  const start = Object.entries(attributes).reduce((text, [key, value]) => `${text} ${key}="${value}"`, `<${name}`);
  const inner = children.map((child) => (typeof child === "string" ? xmlText(child) : written(child)));
  const isList = name === "g" && attributes["class"] === undefined; // one line per step, so that two drawings can be diffed
  return inner.length === 0 ? `${start}/>` : `${start}>${inner.join(isList ? "\n" : "")}</${name}>`;
}

const DARK = Object.entries(tones).map(([tone, { dark }]) => `.f-${tone}{fill:${dark}}.s-${tone}{stroke:${dark}}`);

const STYLE = `
svg{color-scheme:light dark}
text{font-family:ui-sans-serif,system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
.head{font-size:14px;font-weight:600}.name{font-size:13px;font-weight:600}.mark{font-size:14px;font-weight:700}
.detail{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11px}.reasoning .detail{font-style:italic}
.next,.branch,.return{stroke-width:1.5;stroke-linejoin:round}
@media(prefers-color-scheme:dark){${DARK.join("")}}
`.replaceAll("\n", "");
