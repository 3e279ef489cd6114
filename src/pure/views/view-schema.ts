import { type Fields, type Schema, schema } from "../base/index.ts";
import { refs } from "./refs.ts";

type Definition = Parameters<typeof schema>[0];

/** The schema of a view's records, including the fields that `--refs` may add. */
export function viewSchema({ refs: more = refs, shape, ...rest }: Definition & { readonly refs?: Fields }): Schema {
  return schema({ ...rest, shape: shape.extended?.(more) ?? shape });
}
