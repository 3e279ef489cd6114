import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readWire } from "../../../src/host/recording/wire/read-wire.ts";
import { agents } from "../../../src/pure/agents/index.ts";
import type { Store } from "../../../src/pure/agents/store.ts";
import { storeFormats, stores } from "../../../src/pure/agents/stores.ts";
import { parseObject } from "../../../src/pure/base/index.ts";
import type { Agent } from "../../../src/pure/pipeline/index.ts";
import { type DecodeText, openDatabase, type ReadAt } from "../../../src/pure/sqlite/index.ts";
import { answerReader, askedBy, dialectAt, normalizer, wireLineOf } from "../../../src/pure/wire/index.ts";
import { firstRows, sessionIds } from "../../../src/work/history/database-rows.ts";
import { readText, textBytes } from "../../../src/work/native/edits/text-file.ts";
import { derive, partsOf } from "./agent-parsers.ts";
import { bytesOf, type Parser } from "./parser.ts";
import { fileWith } from "./scratch.ts";

const DATABASE = "fixtures/stores/goose/mix/home/.local/share/goose/sessions/sessions.db";
const LOG = "test/pure/sqlite/made/wal.db-wal";

/** Sessions that agents keep on disk, what passes between an agent and its model, and files that our own agent edits. */
export function storedParsers(root: string): readonly Parser[] {
  const sessions = (agent: string) => filesBelow(join(root, "fixtures/stores", agent)).filter((path) => path.endsWith(".jsonl"));
  const databases = (agent: string) => filesBelow(join(root, "fixtures/stores", agent)).filter((path) => path.endsWith(".db"));
  const lists = (agent: string) => filesBelow(join(root, "fixtures/stores", agent)).filter((path) => path.endsWith(".messages.json"));
  const each = stores.map((store, index): Parser => {
    const format = storeFormats[index];
    return {
      name: `stores/${store.agent.id}`,
      form: "lines",
      reads: [
        "src/pure/agents/store.ts",
        "src/work/history/find-sessions.ts",
        "src/work/history/session-lines.ts",
        "src/work/history/database-rows.ts",
        "src/work/history/list-records.ts",
      ],
      valid: () => partsOf(recordsOf(store)),
      read(input) {
        const records = input
          .split("\n")
          .map(parseObject)
          .filter((record) => record !== undefined);
        store.head("project/session.jsonl", records);
        for (const record of records) store.at(record);
        if (format !== undefined) derive(format, `{"harness-file":"project/session.jsonl"}\n${input}`);
      },
    };
  });
  function recordsOf(store: Store): Buffer[] {
    const rows = databases(store.agent.id).map((path) => sessionIds(store, path).flatMap((id) => [...firstRows(store, path, id, 40)]));
    const listed = lists(store.agent.id).map((path) => {
      const { about, records } = store.split?.(parseObject(readFileSync(path, "utf8")) ?? {}) ?? { about: {}, records: [] };
      return [about, ...records].map((record) => JSON.stringify(record));
    });
    if (rows.length + listed.length > 0) return [...rows, ...listed].map((lines) => Buffer.from(`${lines.join("\n")}\n`));
    return sessions(store.agent.id).map((path) => readFileSync(path));
  }

  const wireFile = fileWith("wire.jsonl");
  const rules: readonly Agent[] = [agents.claude, agents.codex, agents.goose, agents.opencode];
  return [
    ...each,
    {
      name: "SQLite databases",
      form: "text",
      reads: [
        "src/pure/sqlite/pages.ts",
        "src/pure/sqlite/wal.ts",
        "src/pure/sqlite/tree.ts",
        "src/pure/sqlite/record.ts",
        "src/pure/sqlite/declared.ts",
        "src/pure/sqlite/database.ts",
      ],
      valid: () => [DATABASE, LOG].map((name) => readFileSync(join(root, name)).toString("latin1")),
      *read(input) {
        const bytes = bytesOf(input);
        const at: ReadAt = (offset, length) => bytes.subarray(offset, offset + length);
        const isLog = bytes[0] === 0x37;
        const file = readFileSync(join(root, DATABASE));
        const whole: ReadAt = (offset, length) => file.subarray(offset, offset + length);
        const decode: DecodeText = (text, encoding) => new TextDecoder(encoding).decode(text);
        for (const table of openDatabase(isLog ? whole : at, isLog ? at : undefined, decode).values()) {
          for (const _ of table.rows()) yield;
          for (const column of table.columns) for (const _ of table.where(column, "s1")) yield;
        }
      },
    },
    {
      name: "recorded requests",
      form: "lines",
      reads: ["src/pure/wire/wire-line.ts", "src/host/recording/wire/read-wire.ts"],
      valid: () => WIRE,
      read(input) {
        for (const line of input.split("\n")) wireLineOf(line);
        readWire(wireFile(input));
      },
    },
    {
      name: "requests and answers of models",
      form: "lines",
      reads: ["src/pure/wire/dialects.ts", "src/pure/wire/answer-reader.ts", "src/pure/wire/normal-request.ts"],
      valid: () => ANSWERS,
      read(input) {
        for (const path of PATHS) {
          const dialect = dialectAt("POST", path);
          if (dialect === undefined) continue;
          askedBy(dialect, input, path);
          for (const { volatile = {} } of rules)
            normalizer(volatile, [{ path: "/work", name: "workspace" }])({ method: "POST", path, body: input });
          for (const isStream of [true, false]) {
            const reader = answerReader(dialect, isStream);
            reader.push(input);
            reader.end();
          }
        }
      },
    },
    {
      name: "text to edit",
      form: "text",
      reads: ["src/work/native/edits/text-file.ts"],
      isForModel: true,
      valid: () => ["one\ntwo\r\n", "\ufeffmark\n", "caf\u00e9\n"],
      read(input) {
        const bytes = Buffer.from(bytesOf(input));
        textBytes(readText(bytes, "file.txt"), "file.txt");
      },
    },
  ];
}

const PATHS = ["/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/m:streamGenerateContent"];

const ANSWERS = [
  'data: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":1,"output_tokens":1}}}\n\ndata: {"type":"message_stop"}\n\n',
  'data: {"type":"response.completed","response":{"model":"m","usage":{"input_tokens":1,"output_tokens":2}}}\n\n',
  'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\ndata: [DONE]\n\n',
  'data: {"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}\n\n',
  '{"model":"m","messages":[{"role":"user","content":"a"}],"tools":[],"stream":true}',
  '{"error":{"type":"overloaded_error","message":"no"}}',
];

const WIRE = [
  '{"type":"request","call":1,"at":1,"origin":"http://127.0.0.1","method":"POST","path":"/v1/messages","headers":[],"parts":["a",1,[1,2]],"seq":1,"hash":"h"}\n',
  '{"type":"answer","call":1,"at":2,"status":200,"headers":[],"seq":2,"hash":"h"}\n{"type":"chunk","call":1,"at":3,"text":"a","seq":3,"hash":"h"}\n{"type":"end","call":1,"at":4,"seq":4,"hash":"h"}\n',
];

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
