export { graphDot } from "./graph-dot.ts";
export { graphMermaid } from "./graph-mermaid.ts";
export { graphSvg } from "./graph-svg.ts";
export { type Part, picture } from "./picture.ts";
