/** The directory an agent works in: walk, snapshot, compare, patch, copy, rebuild. */

export { breathing } from "./breathing.ts";
export { budgetOf, type Limits } from "./budget.ts";
export { systemPath, textOf } from "./byte-path.ts";
export { type Comparison, compare, topChanges } from "./compare.ts";
export { copyTree } from "./copy-tree.ts";
export { type Descent, descend, LINUX } from "./descent.ts";
export { fetchTemplate, type Template } from "./fetch-template.ts";
export { type History, historyOf, uncommitted } from "./git-history.ts";
export { cloneTree, type Layer, layOver } from "./layer.ts";
export type { Entry, Manifest } from "./manifest.ts";
export { entriesOf, openManifest } from "./manifest-file.ts";
export { manifestFlaw } from "./manifest-flaw.ts";
export { type Objects, openObjects } from "./objects.ts";
export { patch } from "./patch.ts";
export { reader } from "./read-regular.ts";
export { NOT_KEPT, type Rebuilt, rebuild } from "./rebuild.ts";
export { removeTree } from "./remove-tree.ts";
export { snapshot } from "./snapshot.ts";
export { templateSource } from "./template-source.ts";
export { walk } from "./walk.ts";
