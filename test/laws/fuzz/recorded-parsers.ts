import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "../../../src/host/config/read-settings.ts";
import { answerOf } from "../../../src/host/files/lock-socket.ts";
import { messageOf } from "../../../src/host/process/acp/message.ts";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { deriveSessionLog } from "../../../src/host/recording/derive/derive-session-log.ts";
import { isRemembered } from "../../../src/host/recording/format/known-modules.ts";
import { readManifest } from "../../../src/host/recording/format/read-manifest.ts";
import { readIndex } from "../../../src/host/recording/format/run-index.ts";
import { readOrder } from "../../../src/host/recording/format/run-order.ts";
import { type RunPaths, runPaths } from "../../../src/host/recording/format/run-paths.ts";
import { runReader } from "../../../src/host/recording/format/run-reader.ts";
import { loadSchema } from "../../../src/host/recording/own/load-schema.ts";
import { requestOf } from "../../../src/host/recording/write/decisions.ts";
import { outsideOf } from "../../../src/host/recording/write/outside.ts";
import { planOverlay } from "../../../src/host/recording/write/settings-overlay.ts";
import { verifyRun } from "../../../src/host/recording/write/verify-run.ts";
import { compare } from "../../../src/host/workspace/compare.ts";
import { entriesOf, openManifest } from "../../../src/host/workspace/manifest-file.ts";
import { manifestFlaw } from "../../../src/host/workspace/manifest-flaw.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { HarnessError } from "../../../src/pure/base/index.ts";
import { readAnswer } from "../../../src/pure/events/relay-answer.ts";
import { parseLine } from "../../../src/pure/pipeline/parse-line.ts";
import type { View } from "../../../src/pure/pipeline/view.ts";
import { views } from "../../../src/pure/views/views.ts";
import { derive } from "./agent-parsers.ts";
import { bytesOf, type Parser } from "./parser.ts";
import { fileWith, scratch } from "./scratch.ts";

/** A run's files, settings, snapshots, and what agents ask and answer while they run. */
export function recordedParsers(root: string): readonly Parser[] {
  const earlier = join(root, "test/host/recording/earlier");
  const observed = join(root, "test/laws/fuzz/observed");
  const [id = ""] = readdirSync(join(earlier, "runs"));
  const text = (...path: readonly string[]) => readFileSync(join(...path), "latin1");
  const runs = [join(earlier, "runs", id), join(observed, "run")];
  const verified = (paths: RunPaths) =>
    verifyRun(readManifest(paths.manifest), paths, join(observed, "session.ndjson"), agents.generic, undefined);
  const records = () => runs.map((run) => text(run, "records.jsonl"));
  const manifests = () => runs.map((run) => text(run, "run.json"));
  return [
    {
      name: "records",
      form: "lines",
      reads: ["src/host/recording/format/stored-record.ts", "src/host/recording/format/run-reader.ts"],
      valid: records,
      read: runOf("reader", runs[0] ?? "", "records.jsonl", (paths) => {
        const reader = runReader(paths, decode);
        for (const _ of reader.more());
        for (const _ of reader.unrecorded(0));
      }),
    },
    {
      name: "records, verified",
      form: "lines",
      reads: ["src/host/recording/write/verify-run.ts"],
      valid: records,
      read: runOf("verified", runs[1] ?? "", "records.jsonl", verified),
    },
    {
      name: "run.json",
      form: "json",
      reads: ["src/host/recording/format/read-manifest.ts"],
      valid: manifests,
      read: withFile("run.json", (path) => readManifest(path)),
    },
    {
      name: "run.json, verified",
      form: "json",
      reads: ["src/host/recording/write/verify-run.ts"],
      valid: manifests,
      read: runOf("described", runs[1] ?? "", "run.json", verified),
    },
    {
      name: "index.jsonl",
      form: "lines",
      reads: ["src/host/recording/format/run-index.ts"],
      valid: () => [1, 2].map((n) => `{"event":${n},"record":9,"recordsOffset":500,"stdout":80,"stderr":0,"at":1700000000000}\n`.repeat(n)),
      read: withFile("index.jsonl", readIndex),
    },
    {
      name: "order",
      form: "text",
      reads: ["src/host/recording/format/run-order.ts"],
      valid: () => ["\n20261116-083355-mzqytw\n\n20261116-083356-abcdef\n"],
      read: withFile("order", (path) => readOrder({ root: join(path, "..") } as never)),
    },
    {
      name: "modules.jsonl",
      form: "lines",
      reads: ["src/host/recording/format/known-modules.ts"],
      valid: () => ['\n{"path":"/a.mjs","sha256":"00"}\n\n{"path":"/b.mjs","sha256":"11"}\n'],
      read: withFile("modules.jsonl", (path) => isRemembered({ root: join(path, "..") } as never, { path: "/z", sha256: "0" } as never)),
    },
    {
      name: "session log",
      form: "lines",
      reads: ["src/pure/views/stream/read-session-log.ts", "src/host/recording/derive/derive-session-log.ts"],
      valid: () => [text(earlier, "sessions", `${id}.ndjson`), text(observed, "session.ndjson")],
      read: withFile("log.ndjson", async (path, input) => {
        const all = Object.values<View<object>>(views);
        const view = all[input.length % all.length] ?? views.log;
        for await (const records of deriveSessionLog(path, view)) for (const record of records) JSON.stringify(record);
      }),
    },
    {
      name: "adapter schema",
      form: "json",
      reads: ["src/host/recording/own/load-schema.ts", "src/host/recording/own/json-line.ts", "src/host/recording/own/adapter-schema.ts"],
      valid: () => [text(root, "docs/examples/parrot.json")],
      read: (input) =>
        derive(loadSchema("parrot.json", { bytes: bytesOf(input), sha256: "" } as never), text(root, "docs/examples/parrot.jsonl")),
    },
    {
      name: "metadata.json of a run",
      form: "json",
      reads: ["src/host/recording/write/outside.ts"],
      valid: () => [text(observed, "out/metadata.json")],
      read: withFile("outside/metadata.json", (path) => outsideOf({ observed: { out: join(path, ".."), views: {} }, id } as never)),
    },
    {
      name: "hook request",
      form: "json",
      reads: ["src/host/recording/write/decisions.ts", "src/host/recording/write/hook-program.ts"],
      valid: () => [
        '{"session_id":"s","tool_name":"Bash","tool_use_id":"t1","cwd":"/w","tool_input":{"command":"rm -r build && ls","description":"x"}}',
        '{"session_id":"s","tool_name":"Edit","tool_use_id":"t2","tool_input":{"file_path":"/w/a","old_string":"a","new_string":"b"}}',
        '{"tool_name":"apply_patch","tool_input":{"input":"*** Begin Patch\\n*** Update File: a\\n@@\\n-a\\n+b\\n*** End Patch"}}',
      ],
      read: (input) => requestOf(input, "/w", "all"),
    },
    {
      name: "relay answer",
      form: "json",
      reads: ["src/pure/events/relay-answer.ts", "src/host/permissions/ask-decision.ts"],
      valid: () => [
        '"once"',
        '{"decision":"always","rule":{"tool":"Bash","params":{"command":"git *"}},"reason":"ok"}',
        '{"approved":true,"always":{"tool":"Read"}}',
        '{"decision":"deny","reason":"no"}',
      ],
      read: (input) => readAnswer(parsed(input)),
    },
    {
      name: "lock holder's answer",
      form: "json",
      reads: ["src/host/files/lock-socket.ts"],
      valid: () => ['{"held":true,"host":"h","since":1700000000000,"command":"run"}'],
      read: answerOf,
    },
    {
      name: "ACP message",
      form: "json",
      reads: ["src/host/process/acp/message.ts"],
      valid: () => [
        '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}',
        '{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"o","kind":"allow_once"}]}}',
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk"}}}',
        '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no","data":{}}}',
      ],
      read: (input) => messageOf({ offset: 0, length: input.length, text: input, terminated: true, oversize: false }),
    },
    {
      name: "settings of an agent",
      form: "json",
      reads: ["src/host/recording/write/settings-overlay.ts"],
      valid: () => ['{"theme":"dark","mcpServers":{"a":{"command":"b"}}}', '{"hooks":{"BeforeTool":[]}}'],
      read: withFile("overlay/.agent/settings.json", (path) => {
        const overlay = { variable: "AGENT_HOME", home: "/h", folder: ".agent", file: "settings.json", guarded: ["hooks"] };
        return planOverlay(overlay as never, join(path, "../.."), new Map(), {});
      }),
    },
    {
      name: "harness.toml",
      form: "text",
      reads: ["src/host/config/read-settings.ts", "src/host/config/key-line.ts", "src/host/config/schema.ts"],
      valid: () => [tomlIn(text(root, "docs/reference/config.md")), 'agent = "claude"\n[env]\nA = "1"\n'],
      read(input) {
        const known = { agents: Object.values(agents), views: Object.keys(views) };
        const read = (scope: string) =>
          readSettings({ path: "harness.toml", text: input, user: "/home/u/harness.toml", scope } as never, known);
        try {
          read("project");
        } catch (error) {
          if (!(error instanceof HarnessError)) throw error; // a project may set less than a user
        }
        return read("user");
      },
    },
    {
      name: "workspace manifest",
      form: "lines",
      reads: ["src/host/workspace/manifest-file.ts", "src/host/workspace/compare.ts", "src/host/workspace/manifest-flaw.ts"],
      valid: () => ["before", "after"].map((side) => text(observed, `out/artifacts/manifest_${side}.jsonl`)),
      read: withFile("manifest.jsonl", (path) => {
        const before = openManifest(join(observed, "out/artifacts/manifest_before.jsonl"));
        const after = openManifest(path);
        for (const _ of entriesOf(after));
        manifestFlaw(after);
        return compare(before, after);
      }),
    },
  ];
}

function parsed(input: string): unknown {
  return parseLine(input);
}

function tomlIn(page: string): string {
  return /```toml\n(.*?)```/s.exec(page)?.[1] ?? "";
}

export function withFile(name: string, read: (path: string, input: string) => unknown): Parser["read"] {
  const write = fileWith(`files/${name}`);
  return (input) => read(write(input), input);
}

/** A copy of a run, in which one file is replaced. */
function runOf(name: string, from: string, file: string, read: (paths: ReturnType<typeof runPaths>) => unknown): Parser["read"] {
  const write = fileWith(`runs/${name}/${file}`);
  let paths: ReturnType<typeof runPaths> | undefined;
  return (input) => {
    if (paths === undefined) {
      const directory = scratch(`runs/${name}`);
      cpSync(from, directory, { recursive: true });
      paths = runPaths(directory);
    }
    write(input);
    return read(paths);
  };
}
