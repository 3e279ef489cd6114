/**
 * What the commands do, in one piece that is loaded when one of them is called: every further piece would cost a file to
 * open. What only a few need and is large (the live account, the scripted model, the schemas) stays outside.
 */

export { agents } from "../agents/index.ts";
export { configFiles } from "../config/config-files.ts";
export { writeTemplate } from "../config/write-template.ts";
export { dataDirectory } from "../store/data-directory.ts";
export { runIds } from "../store/find-run.ts";
export { views } from "../views/index.ts";
export { runCheck } from "./check/run-check.ts";
export { deriveInput } from "./derive-input.ts";
export { printGraph } from "./graph/print-graph.ts";
export { listAgents } from "./list-agents.ts";
export { replayRun } from "./replay-run.ts";
export { runAgent } from "./run-agent.ts";
export { runDemo } from "./run-demo.ts";
export { listRuns } from "./sessions/list-runs.ts";
export { printPath } from "./sessions/print-path.ts";
export { pruneRuns } from "./sessions/prune-runs.ts";
export { removeNamed } from "./sessions/remove-runs.ts";
export { showRun } from "./sessions/show-run.ts";
export { loadSettings } from "./settings.ts";
