import { type Shape, text, variants } from "../base/index.ts";
import { type HarnessEvent, harnessPlace, harnessVocabulary } from "../events/index.ts";

/** A node is its event under the node's id; chunks with one id form one node. */
export type GraphNode = HarnessEvent & { readonly id: string };

const id = { id: text };
const nodes = Object.entries(harnessVocabulary).map(([type, fields]) => [
  type,
  "id" in fields && !("isOptional" in fields.id) ? fields : { ...id, ...fields, ...id },
]);

export const graphNode = variants(Object.fromEntries(nodes), harnessPlace) as Shape<unknown> as Shape<GraphNode>;
