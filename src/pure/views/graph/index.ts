export { GRAPH_VERSION, type GraphRecord, graph, graphRecord } from "./view.ts";
