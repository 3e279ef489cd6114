/**
 * What the commands do, in one piece that is loaded when one of them is called: every further piece would cost a file to
 * open. What only a few need and is large (the live account, the scripted model, the schemas) stays outside.
 */

export { configFiles } from "../../host/config/config-files.ts";
export { writeTemplate } from "../../host/config/write-template.ts";
export { dataDirectory } from "../../host/recording/format/data-directory.ts";
export { runIds } from "../../host/recording/format/find-run.ts";
export { agents } from "../../pure/agents/index.ts";
export { views } from "../../pure/views/index.ts";
export { listAgents } from "./agents/list-agents.ts";
export { runCheck } from "./agents/run-check.ts";
export { runDemo } from "./demo/run-demo.ts";
export { deriveInput } from "./derive-input.ts";
export { printGraph } from "./graph/print-graph.ts";
export { loadSettings } from "./options/settings.ts";
export { replayRun } from "./replay/replay-run.ts";
export { runAgent } from "./run/run-agent.ts";
export { listRuns } from "./sessions/list-runs.ts";
export { printPath } from "./sessions/print-path.ts";
export { pruneRuns } from "./sessions/prune-runs.ts";
export { removeNamed } from "./sessions/remove-runs.ts";
export { showRun } from "./sessions/show-run.ts";
