export { GraphPicture } from "./graph-picture.tsx";
export { windowAround } from "./graph-window.ts";
export { useGraph } from "./use-graph.ts";
