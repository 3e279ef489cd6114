import { expect, test } from "vitest";
import { filesIn } from "./imports.ts";
import { isNode, type Node, syntaxIn, syntaxOf, textOf } from "./syntax.ts";

/**
 * S2: everything that leaves the program passes a place that masks. These files write, by the reason for which that is safe. Every other
 * file uses them, and a new writer needs a reason here.
 */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  "opens a file that `saveText` fills": ["src/app/cli/config/write-settings.ts"],
  "keeps standard input for one call, in a private directory": ["src/app/cli/evaluation/evaluate-cases.ts"],
  "writes no text from outside: zeros, a key, a version or an address": [
    "src/app/cli/index.ts",
    "src/app/terminal/reader.ts",
    "src/host/files/lock-socket.ts",
    "src/host/files/reserve.ts",
    "src/host/recording/format/known-modules.ts",
    "src/host/recording/format/run-order.ts",
    "src/host/recording/write/hook-program.ts",
    "src/work/observe/commands/make-wrappers.ts",
  ],
  "masks what it writes": [
    "src/app/terminal/output.ts",
    "src/app/terminal/save-text.ts",
    "src/app/terminal/with-output.ts",
    "src/host/recording/format/spool.ts",
    "src/host/recording/write/kept-records.ts",
    "src/host/recording/write/open-recording.ts",
    "src/host/recording/write/outside.ts",
    "src/host/recording/write/recover-records.ts",
    "src/host/recording/write/run-directory.ts",
    "src/host/recording/write/run-writer.ts",
    "src/host/secrets/mask-in-place.ts",
    "src/work/evaluate/results/replace-lines.ts",
    "src/work/evaluate/results/result-file.ts",
    "src/work/evaluate/running/keep-state.ts",
    "src/work/evaluate/trial/configurations.ts",
    "src/work/observe/witness-of.ts",
  ],
  "writes what was read from a masked recording": [
    "src/app/web/export-run.ts",
    "src/app/web/log-files.ts",
    "src/app/web/serve-page.ts",
    "src/host/recording/format/run-index.ts",
    "src/host/recording/write/complete-run.ts",
    "src/host/recording/write/complete-view.ts",
    "src/host/recording/write/mend-view.ts",
    "src/host/recording/write/process-record.ts",
    "src/host/recording/write/seal-run.ts",
    "src/host/recording/write/set-aside.ts",
    "src/host/recording/write/ssh-signature.ts",
    "src/work/observe/write-bundle.ts",
  ],
  "writes bytes for the files in this list": [
    "src/host/files/append-file.ts",
    "src/host/files/open-private.ts",
    "src/host/files/write-atomically.ts",
    "src/host/files/write-fully.ts",
    "src/host/listen/serve-http.ts",
  ],
  "passes input to a program that must have it verbatim, in files without a name or in a private home": [
    "src/host/permissions/ask-decision.ts",
    "src/host/process/private-place.ts",
    "src/host/process/run-program.ts",
    "src/host/recording/write/decisions.ts",
    "src/host/recording/write/settings-overlay.ts",
  ],
  "reads only; its `open` and its thread are not those of files": [
    "src/host/workspace/batch-ring.ts",
    "src/host/workspace/file-batch.ts",
    "src/work/native/mcp-tools.ts",
  ],
  "fills a workspace, which belongs to the agent": [
    "src/host/workspace/copy-tree.ts",
    "src/host/workspace/fetch-template.ts",
    "src/host/workspace/rebuild.ts",
    "src/work/evaluate/validate-refs.ts",
    "src/work/native/workspace-files.ts",
  ],
  "the witness masks the file before it is sealed": [
    "src/host/workspace/manifest-writer.ts",
    "src/host/workspace/patch.ts",
    "src/work/observe/commands/write-lines.ts",
  ],
  "its callers decide what is kept: observations until the patch is written, evaluations only without secrets": [
    "src/host/workspace/objects.ts",
  ],
  "serves or stores the scripted model, which has no secrets": [
    "src/work/conformance/consumers.ts",
    "src/work/conformance/install.ts",
    "src/work/conformance/mcp-server.ts",
    "src/work/conformance/permissions/try-level.ts",
    "src/work/conformance/record.ts",
    "src/work/conformance/report-page.ts",
    "src/work/conformance/run-agent.ts",
    "src/work/conformance/run-scenario.ts",
    "src/work/conformance/sandbox.ts",
    "src/work/conformance/scripted-model.ts",
    "src/work/model/serve-model.ts",
  ],
  "writes masked results: the caller masks": [
    "src/work/evaluate/graders/endpoint-judge.ts",
    "src/work/evaluate/results/journal.ts",
    "src/work/evaluate/results/move-lines.ts",
    "src/work/model/ledger-file.ts",
  ],
  "is the agent: the recorder masks its output, and its provider must get requests verbatim": [
    "src/work/native/list-models.ts",
    "src/work/native/merge-frames.ts",
    "src/work/native/program/index.ts",
    "src/work/native/repl/engine-program.ts",
  ],
};

const WRITING = /^(?:write|append|copyFile|cp|createWriteStream|promises$)/;
/** Our own functions that write what they get. */
const PRIMITIVE = new Set(["openAppendFile", "openPrivate", "replaceFiles", "serveHttp", "writeAtomically", "writeFully"]);
const NETWORK = new Set(["node:http", "node:https", "node:net", "node:dgram", "node:tls", "node:http2"]);

/** What a file uses to write by itself: functions of `node:fs`, our standard streams, and the network. */
function writesIn(text: ReturnType<typeof syntaxOf>): readonly string[] {
  const found = new Set<string>();
  for (const node of text.nodes) {
    if (node.type === "ImportDeclaration" && node["importKind"] !== "type") {
      const from = textOf(node["source"]) ?? "";
      if (NETWORK.has(from))
        for (const name of namesOf(node)) if (/^(?:create|connect|request|get$|\*)/.test(name)) found.add(`${from} ${name}`);
      if (from.startsWith(".")) for (const name of namesOf(node)) if (PRIMITIVE.has(name)) found.add(name);
      if (/^node:fs(?:\/promises)?$/.test(from)) for (const name of namesOf(node)) if (WRITING.test(name) || name === "*") found.add(name);
    }
    if (node.type === "CallExpression" && isNode(node["callee"])) {
      const callee = node["callee"];
      if (callee["name"] === "fetch") found.add("fetch");
      if (/^open(?:Sync)?$/.test(nameOf(callee)) && !isReading((node["arguments"] as readonly unknown[])[1])) found.add(nameOf(callee));
      const stream = isNode(callee["object"]) ? callee["object"] : undefined;
      if (nameOf(callee["property"]) === "write" && /^std(?:out|err)$/.test(nameOf(stream?.["property"])) && isProcess(stream))
        found.add(`process.${nameOf(stream?.["property"])}`);
    }
  }
  return [...found].sort();
}

/** No flags, `r`, or flags that name only ways to read. */
function isReading(flags: unknown): boolean {
  if (flags === undefined || textOf(flags) === "r") return true;
  const names: readonly string[] = JSON.stringify(flags).match(/O_[A-Z]+/g) ?? [];
  return names.includes("O_RDONLY") && !names.some((name) => /WRONLY|RDWR|CREAT|APPEND|TRUNC/.test(name));
}

const nameOf = (value: unknown) => (isNode(value) ? String(value["name"]) : "");
const isProcess = (stream: Node | undefined) => nameOf(stream?.["object"]) === "process";

function namesOf(node: Node): readonly string[] {
  return (node["specifiers"] as readonly Node[])
    .filter((each) => each["importKind"] !== "type")
    .map((each) => (each.type === "ImportSpecifier" ? nameOf(each["imported"]) : "*"));
}

test("writes are found in every spelling", () => {
  const found = (text: string) => writesIn(syntaxIn(text));
  expect(found('import { writeFileSync as w, readFileSync } from "node:fs"')).toEqual(["writeFileSync"]);
  expect(found('import * as fs from "node:fs"; import fsp from "node:fs/promises"')).toEqual(["*"]);
  expect(found('openSync("a"); openSync("a", "r"); openSync("a", constants.O_RDONLY | O_NOFOLLOW)')).toEqual([]);
  expect(found('openSync("a", "w")')).toEqual(found("openSync(a, O_RDONLY | O_CREAT)"));
  expect(found("openSync(a, flags)")).toEqual(["openSync"]);
  expect(found('import { createServer } from "node:http"; import { type Server } from "node:net"')).toEqual(["node:http createServer"]);
  expect(found('process.stdout.write("a"); process.stderr.write("b"); await fetch("c"); child.stdin.write("d")')).toEqual([
    "fetch",
    "process.stderr",
    "process.stdout",
  ]);
});

test("S2: only the listed files write, each for its reason", () => {
  const writers = filesIn("src").filter((file) => !file.startsWith("src/pure/") && writesIn(syntaxOf(file)).length > 0);
  expect(writers).toEqual(Object.values(WRITERS).flat().sort());
});
