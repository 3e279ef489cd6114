import { expect, test } from "vitest";
import { filesIn } from "./imports.ts";
import { isNode, type Node, syntaxIn, syntaxOf, textOf } from "./syntax.ts";

/**
 * S2: everything that leaves the program passes `host/sink`, which accepts only what is marked as safe (test/host/sink/safe.test.ts). These
 * files write without it. A new one needs a reason here.
 */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  "is the sink": [
    "src/host/sink/local-socket.ts",
    "src/host/sink/post.ts",
    "src/host/sink/write-fully.ts",
    "src/host/sink/write-stream.ts",
  ],
  "writes no bytes, to learn whether the reader is there": ["src/app/terminal/reader.ts"],
  "starts before anything is loaded, and writes a version or a fixed sentence": ["src/app/cli/index.ts"],
  "listens, and answers a request that is not HTTP with a fixed line": ["src/host/listen/serve-http.ts"],
  "answers over HTTP with what `send` and `sendPart` accept: safe text and bytes": ["src/app/web/reply.ts"],
  "copies files of a run, which are masked, or are masked next": ["src/host/recording/write/outside.ts"],
  "carries the agent's connections, which must get its bytes verbatim": [
    "src/host/proxy/answerer.ts",
    "src/host/proxy/connection.ts",
    "src/host/proxy/dial.ts",
    "src/host/proxy/exchange.ts",
    "src/host/proxy/model-server.ts",
    "src/host/proxy/proxy-server.ts",
  ],
  "decodes an answer, in memory": ["src/host/recording/wire/decoder.ts"],
  "fills a workspace, which belongs to the agent": ["src/host/workspace/layer.ts", "src/work/evaluate/validate-refs.ts"],
  "is a part of the scripted model, which has no secrets": [
    "src/work/conformance/mcp-server.ts",
    "src/work/conformance/permissions/try-level.ts",
    "src/work/conformance/scripted-model.ts",
    "src/work/model/play.ts",
  ],
  "reads only": ["src/host/workspace/batch-ring.ts"],
  "listens on a port that an isolated agent must not reach, and closes every connection": ["src/host/isolation/probe.ts"],
  "is the agent: its provider and its servers must get requests verbatim": [
    "src/work/native/list-models.ts",
    "src/work/native/mcp-process.ts",
    "src/work/native/merge-frames.ts",
  ],
};

/** Functions of `host/sink` that mark as safe what they get. They do not check it, so each caller is listed. */
const CONVERSIONS: Readonly<Record<string, readonly string[]>> = {
  masked: [
    "src/app/terminal/sequences.ts",
    "src/host/secrets/answer-masker.ts",
    "src/host/secrets/known-secrets.ts",
    "src/host/secrets/mask-bytes.ts",
    "src/host/secrets/mask-fact.ts",
    "src/host/secrets/mask-text.ts",
  ],
  recorded: [
    "src/app/web/export-run.ts",
    "src/app/web/log-files.ts",
    "src/app/web/run-routes.ts",
    "src/app/web/send-view.ts",
    "src/host/recording/format/bounded-fact.ts",
    "src/host/recording/format/record-chain.ts",
    "src/host/recording/format/run-index.ts",
    "src/host/recording/wire/wire-file.ts",
    "src/host/recording/wire/wire-log.ts",
    "src/host/recording/write/complete-run.ts",
    "src/host/recording/write/complete-views.ts",
    "src/host/recording/write/course-record.ts",
    "src/host/recording/write/mend-view.ts",
    "src/host/recording/write/outside.ts",
    "src/host/recording/write/process-record.ts",
    "src/host/recording/write/recording.ts",
    "src/host/recording/write/run-directory.ts",
    "src/host/recording/write/run-writer.ts",
    "src/host/recording/write/seal-run.ts",
    "src/host/recording/write/set-aside.ts",
    "src/host/recording/write/ssh-signature.ts",
    "src/work/evaluate/results/move-lines.ts",
    "src/work/evaluate/results/replace-lines.ts",
    "src/work/evaluate/results/result-file.ts",
    "src/work/observe/write-bundle.ts",
  ],
  maskedLater: [
    "src/app/cli/evaluation/evaluate-cases.ts",
    "src/host/recording/format/spool.ts",
    "src/host/recording/write/open-recording.ts",
    "src/host/workspace/manifest-writer.ts",
    "src/host/workspace/objects.ts",
    "src/host/workspace/patch.ts",
    "src/work/native/program/index.ts",
    "src/work/native/repl/engine-program.ts",
    "src/work/observe/commands/trace/trace-file.ts",
    "src/work/observe/commands/write-lines.ts",
  ],
  forProgram: [
    "src/host/files/lock-socket.ts",
    "src/host/isolation/box.ts",
    "src/host/isolation/grader-walls.ts",
    "src/host/isolation/private-home.ts",
    "src/host/permissions/ask-decision.ts",
    "src/host/process/line-program.ts",
    "src/host/process/private-place.ts",
    "src/host/process/run-program.ts",
    "src/host/recording/write/hook-program.ts",
    "src/host/recording/write/run-directory.ts",
    "src/host/recording/write/settings-overlay.ts",
    "src/host/recording/write/speak-with.ts",
    "src/host/workspace/copy-tree.ts",
    "src/host/workspace/rebuild.ts",
    "src/work/evaluate/running/apply-layers.ts",
    "src/work/native/workspace-files.ts",
    "src/work/observe/commands/make-wrappers.ts",
  ],
  neededVerbatim: ["src/host/recording/format/known-modules.ts", "src/host/recording/format/run-order.ts"],
  ownBytes: [
    "src/app/web/reply.ts",
    "src/host/files/reserve.ts",
    "src/host/isolation/filtered.ts",
    "src/host/recording/write/ssh-signature.ts",
    "src/host/secrets/mask-in-place.ts",
    "src/host/workspace/objects.ts",
  ],
  scripted: [
    "src/work/conformance/consumers.ts",
    "src/work/conformance/install.ts",
    "src/work/conformance/permissions/try-level.ts",
    "src/work/conformance/record.ts",
    "src/work/conformance/report-page.ts",
    "src/work/conformance/rerun-scenario.ts",
    "src/work/conformance/run-agent.ts",
    "src/work/conformance/run-scenario.ts",
    "src/work/conformance/sandbox.ts",
    "src/work/model/ledger-file.ts",
  ],
};

const WRITING = /^(?:write|append|copyFile|cp|createWriteStream|promises$)/;
const NETWORK = new Set(["node:http", "node:https", "node:net", "node:dgram", "node:tls", "node:http2"]);
/** The streams of other processes and of clients, by the names we give them. */
const STREAM = /^(?:stdin|stdout|stderr|socket|client|response|answer|stream)$/;

/** What a file uses to write by itself: functions of `node:fs`, streams, and the network. */
function writesIn(text: ReturnType<typeof syntaxOf>): readonly string[] {
  const found = new Set<string>();
  for (const node of text.nodes) {
    if (node.type === "ImportDeclaration" && node["importKind"] !== "type") {
      const from = textOf(node["source"]) ?? "";
      if (NETWORK.has(from))
        for (const name of namesOf(node)) if (/^(?:create|connect|request|get$|\*)/.test(name)) found.add(`${from} ${name}`);
      if (/^node:fs(?:\/promises)?$/.test(from)) for (const name of namesOf(node)) if (WRITING.test(name) || name === "*") found.add(name);
      if (from === "node:fs/promises" && namesOf(node).includes("open")) found.add("open of node:fs/promises");
    }
    if (node.type === "MemberExpression" && nameOf(node["property"]) === "write" && isStream(node["object"]))
      found.add("write of a stream");
    if (node.type === "CallExpression" && isNode(node["callee"])) {
      const callee = node["callee"];
      if (callee["name"] === "fetch") found.add("fetch");
      if (nameOf(callee["property"]) === "end" && isStream(callee["object"]) && (node["arguments"] as readonly unknown[]).length > 0)
        found.add("end of a stream");
    }
  }
  return [...found].sort();
}

function isStream(value: unknown): boolean {
  return STREAM.test(nameOf(value)) || (isNode(value) && value["computed"] !== true && STREAM.test(nameOf(value["property"])));
}

const nameOf = (value: unknown) => (isNode(value) ? String(value["name"]) : "");

function namesOf(node: Node): readonly string[] {
  return (node["specifiers"] as readonly Node[])
    .filter((each) => each["importKind"] !== "type")
    .map((each) => (each.type === "ImportSpecifier" ? nameOf(each["imported"]) : "*"));
}

const sources = filesIn("src").filter((file) => !file.startsWith("src/pure/"));
const trees = new Map(sources.map((file) => [file, syntaxOf(file)]));
const treeOf = (file: string) => trees.get(file) ?? syntaxOf(file);

/** The names that a file imports from `host/sink`. */
function sinkNames(file: string): readonly string[] {
  const imports = treeOf(file).nodes.filter(({ type }) => type === "ImportDeclaration");
  return imports.filter((node) => (textOf(node["source"]) ?? "").endsWith("/sink/index.ts")).flatMap(namesOf);
}

test("writes are found in every spelling", () => {
  const found = (text: string) => writesIn(syntaxIn(text));
  expect(found('import { writeFileSync as w, readFileSync } from "node:fs"')).toEqual(["writeFileSync"]);
  expect(found('import * as fs from "node:fs"; import fsp from "node:fs/promises"')).toEqual(["*"]);
  expect(found('import { open } from "node:fs/promises"')).toEqual(["open of node:fs/promises"]);
  expect(found('import { createServer } from "node:http"; import { type Server } from "node:net"')).toEqual(["node:http createServer"]);
  expect(found('process.stdout.write("a"); await fetch("c"); child.stdin.write("d")')).toEqual(["fetch", "write of a stream"]);
  expect(found('const write = process.stderr.write.bind(1); response.end("a"); gzip.write("b")')).toEqual([
    "end of a stream",
    "write of a stream",
  ]);
  expect(found("response.end(); lines.end(1); process.stdout.columns")).toEqual([]);
});

test("S2: only the listed files write without the sink, each for its reason", () => {
  const writers = sources.filter((file) => writesIn(treeOf(file)).length > 0);
  expect(writers).toEqual(Object.values(WITHOUT).flat().sort());
});

test("S2: only the listed files mark as safe what was not masked just now", () => {
  const callers = (name: string) => sources.filter((file) => sinkNames(file).includes(name));
  expect(Object.fromEntries(Object.keys(CONVERSIONS).map((name) => [name, callers(name)]))).toEqual(CONVERSIONS);
});

test("S2: every function of the sink that marks something as safe is listed, and nothing is marked in another way", () => {
  const declared = syntaxOf("src/host/sink/safe.ts").nodes.filter(
    ({ type, init }) => type === "VariableDeclarator" && isNode(init) && nameOf(init) === "unchecked",
  );
  expect(declared.map(({ id }) => nameOf(id)).sort()).toEqual(Object.keys(CONVERSIONS).sort());
  const casts = sources.filter((file) =>
    treeOf(file).nodes.some(
      ({ type, typeAnnotation }) => /^TS(?:As|TypeAssertion)/.test(type) && /"Safe(?:Text|Bytes)?"/.test(JSON.stringify(typeAnnotation)),
    ),
  );
  expect(casts).toEqual([]);
});
