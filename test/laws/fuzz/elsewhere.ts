const OURS = "reads what this package wrote in the same process";
const PASSED = "passes the bytes to a parser that is tried by itself";
const CHECKED = "reads a line that `results, continued` has checked";
const BASE = "is a part of most parsers that are tried";

/** Files that turn text into data, but need no parser in the table: why not. */
export const elsewhere: ReadonlyMap<string, string> = new Map([
  ["src/app/cli/adapter-scaffold/adapter-files.ts", "is the text of a program for the user to change"],
  ["src/app/cli/agents/check-output.ts", PASSED],
  ["src/app/tui/account/render-call.ts", "shows the text itself if it cannot be read; test/app/tui tries it with hostile text"],
  ["src/app/web/live-figures.ts", "counts lines of a session log that it can read, and skips the others"],
  ["src/app/web/page-files.ts", "reads the page of this package"],
  ["src/host/config/read-config-file.ts", PASSED],
  ["src/host/process/module-program.ts", OURS],
  ["src/host/recording/own/read-agent-file.ts", PASSED],
  ["src/host/recording/write/open-recording.ts", OURS],
  ["src/host/recording/write/read-along.ts", PASSED],
  ["src/host/recording/write/run-directory.ts", OURS],
  ["src/host/secrets/mask-fact.ts", OURS],
  ["src/host/workspace/file-batch.ts", "reads bytes, and gives them no meaning"],
  ["src/pure/agents/read-as.ts", "is not a reader: it renames an agent"],
  ["src/pure/base/json-lines.ts", BASE],
  ["src/pure/base/json.ts", BASE],
  ["src/pure/conversation/read-edges.ts", "reads a graph in memory"],
  ["src/pure/conversation/read-nodes.ts", "reads a graph in memory"],
  ["src/pure/events/well-formed.ts", OURS],
  ["src/work/conformance/collect-shapes.ts", "reads the fixtures of this repository"],
  ["src/work/conformance/corpus.ts", "reads the scenarios of this package"],
  ["src/work/conformance/mcp-server.ts", "is a server for our own corpus"],
  ["src/work/conformance/run-agent.ts", "reads what our own program printed"],
  ["src/work/conformance/shapes.ts", "reads the fixtures of this repository"],
  ["src/work/evaluate/graders/module-files.ts", "reads the user's own graders for names, with a function that is tried by itself"],
  ["src/work/evaluate/check-results.ts", CHECKED],
  ["src/work/evaluate/continue-results.ts", CHECKED],
  ["src/work/evaluate/trial/agent-settings.ts", OURS],
  ["src/work/evaluate/trial/configurations.ts", "answers that nothing is known about a file that it cannot read"],
  ["src/work/native/mcp-process.ts", PASSED],
  ["src/work/native/program/prepare-rlm.ts", "reports that a file is not JSON, and gives other JSON no meaning"],
  ["src/work/native/program/read-options.ts", "reads what this package passed to its own program"],
  ["src/work/native/repl/engine-program.ts", OURS],
  ["src/work/native/repl/engine.ts", "reads what this package's own engine printed; programs in it cannot reach its output"],
  ["src/work/observe/evaluation/module-check.ts", "calls a verdict that it cannot read unknown"],
  ["src/work/observe/opened-run.ts", "reads one field, which must be the id of a run"],
]);
