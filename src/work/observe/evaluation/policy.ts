import type { CheckOptions, Rule } from "../../../pure/checks/index.ts";
import { type CheckGroup, checkGroup } from "../../../pure/events/index.ts";

/** One entry of a policy: one of our checks with options, a rule that is only data, or a function of a module. */
export type PolicyEntry =
  | { readonly kind: "check"; readonly id: string; readonly options: CheckOptions }
  | { readonly kind: "rule"; readonly rule: Rule }
  | ModuleEntry;

export interface ModuleEntry {
  readonly kind: "module";
  readonly id: string;
  readonly group: CheckGroup;
  readonly path: string;
  readonly options: CheckOptions;
}

export const GROUPS = checkGroup.values;
