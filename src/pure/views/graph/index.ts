export { graphSchema } from "./schema.ts";
export { graph, graphRecord } from "./view.ts";
