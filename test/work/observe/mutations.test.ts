import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../../src/pure/base/json.ts";
import { jsonLines, parseJsonLines } from "../../../src/pure/base/json-lines.ts";
import { decisionSchema } from "../../../src/pure/views/decision/schema.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { observe } from "../../../src/work/observe/observe.ts";
import { verify } from "../../../src/work/observe/verify/verify.ts";
import { isFull, sample } from "../../support/full.ts";
import { LONG_MS } from "../../support/place.ts";
import { type Mutant, mutants } from "./mutants.ts";
import { cleanUpFolders, folder } from "./support.ts";

afterAll(cleanUpFolders);

/** Breaks that cannot be noticed without the recording, each with the reason. With it, everything is: see tampering.test.ts. */
const UNNOTICED: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /run_finished: timestamp/, reason: "The record of the process is written before the last event." },
  {
    name: /metadata\.(?:sources|wrapped_binaries)/,
    reason: "Of the requested wrappers, only the recorder knows which it could make; they may see nothing.",
  },
  {
    name: /metadata\.json: recorder\.(?:harness|translation)/,
    reason: "An observation by a different version is compared without its sentences and verdicts.",
  },
  {
    name: /fs_diff\.patch: long\.txt: (?:context line \d+ is longer|line \d+ reads differently)/,
    reason: "Of a long modified file the patch has only a part, and its contents are not kept: lengths and form can be checked.",
  },
  {
    name: /manifest_\w+\.jsonl: line \d+: end(?:\.(?:skipped|ignored|bytes)| has)/,
    reason: "The events do not use these lists of a manifest.",
  },
  {
    name: /metadata\.json: (?:agent\.binary|recorder\.(?:node|platform)|wrapped_binaries)/,
    reason: "The events do not mention the program's name, the recorder's platform, or a requested wrapper that was not made.",
  },
  {
    name: /command_logs\.jsonl: line \d+: (?:argv|cwd|startedAt|durationMs|exitCode|signal|pid|ppid|program)/,
    reason: "The events count the commands and their categories; details of a command that is not a test are in the log only.",
  },
  {
    name: /manifest_\w+\.jsonl: line \d+: mtime/,
    reason: "The digest of a manifest leaves out times, and so do the events.",
  },
  {
    name: /manifest_\w+\.jsonl: line \d+: +has a field more/,
    reason: "In its first and last line, a manifest can have fields of a later version. Nothing reads them.",
  },
  { name: /manifest_\w+\.jsonl: line 1: (?:rootMode|ignore)/, reason: "The events do not mention permissions of the workspace itself." },
  {
    name: /agent_std(?:out|err)\.txt: /,
    reason:
      "What the agent printed is its own account: the events use only its calls, prompt and usage. Its length is in the course, if there is one.",
  },
  {
    name: /course\.jsonl: line \d+(?: is removed|: (?:at|to|scanned)\b)/,
    reason: "No check of these scenarios judges by times or scans: those that do are in judged-again.test.ts.",
  },
];

const elsewhere = { dataDirectory: "/does/not/exist" };

interface Base {
  readonly name: string;
  readonly out: string;
  readonly events: readonly JsonObject[];
}

/** One broken observation: the name of the break, and the files that have it. */
interface Break {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

const bases: Base[] = [];

beforeAll(async () => {
  const source = folder();
  for (const [name, text] of [
    ["keep.txt", "same\n"],
    ["old.txt", "a long enough line to be recognized again\n"],
    ["gone.txt", "x\n"],
    ["change.js", "one\n"],
    ["long.txt", Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("")],
  ])
    writeFileSync(join(source, name ?? ""), text ?? "");
  const agent = join(folder(), "agent");
  const says = [
    { type: "system", subtype: "init", session_id: "s", model: "m", cwd: ".", tools: [] },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: '{"done":true}',
      session_id: "s",
      usage: { input_tokens: 5, output_tokens: 2 },
    },
  ];
  writeFileSync(
    agent,
    `#!/bin/sh\necho two > change.js; sed -i 's/^line 20$/a longer line 20/' long.txt; rm gone.txt; mv old.txt new.txt; mkdir sub; echo x > sub/x.test.js; ls >/dev/null; node --version >/dev/null\necho oops >&2\ncat <<'E'\n${says.map((each) => JSON.stringify(each)).join("\n")}\nE\n`,
  );
  chmodSync(agent, 0o755);
  const ids = ["output.json_only", "style.no_emojis", "scope.no_ci_changes", "quality.tests_required"];
  const constraints = ids.map((id) => ({ id, type: id.split(".")[0] ?? "", rule: `Keep ${id}.` }));
  const scenario = { id: "mutations", request: "Change it.", constraints };
  const base = async (name: string, options: Partial<Parameters<typeof observe>[0]>) => {
    const place = folder();
    const out = join(place, "out");
    const observation = await observe({
      agent: "claude",
      binary: agent,
      scenario: scenario as never,
      workspace: source,
      dataDirectory: join(place, "data"),
      out,
      ...options,
    });
    await observation.done;
    bases.push({ name, out, events: parseJsonLines<JsonObject>(readFileSync(join(out, "events.jsonl"), "utf8")) });
  };
  await base("black box", { wrap: ["ls", "node"], model: "m-1" });
  await base("hashed, no commands", { capture: "hashed" });
  const model = await serveModel({ scenarios: loadScenarios(["scenarios/commands.yaml"]), port: 0, onEntry: () => {} });
  try {
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "scripted-key" };
    const own = { agent: "native", model: "openai/scripted", permissions: "full" as const, env, binary: undefined as never };
    await base("white box", { ...own, scenario: { ...scenario, request: "Do it. [[commands]]" } as never });
  } finally {
    await model.close();
  }
}, 4 * LONG_MS);

describe("every generated break is noticed", () => {
  test("the observations themselves are intact and minimally compliant", { timeout: LONG_MS }, async () => {
    expect(bases.map(({ name }) => name)).toEqual(["black box", "hashed, no commands", "white box"]);
    for (const { out, name } of bases) expect(await verify(out, elsewhere), name).toMatchObject({ ok: true, flaws: [] });
    expect(bases[2]?.events[8]).toMatchObject({ observability_mode: "white_box" });
  });

  test("in the observation without its recording, by a forger who makes every hash match", { timeout: 20 * LONG_MS }, async () => {
    const unnoticed: string[] = [];
    let tried = 0;
    for (const { name, out, events } of bases) {
      const all = [...eventBreaks(events), ...fileBreaks(out, events)];
      const some = sample(all, 150);
      tried += some.length;
      expect(all.length).toBeGreaterThan(300);
      const copy = join(folder(), "out");
      cpSync(out, copy, { recursive: true, filter: (path) => !path.startsWith(join(out, "workspace")) });
      mkdirSync(join(copy, "workspace"), { recursive: true });
      for (const each of some) {
        const changed = forged(copy, each.files);
        const { ok } = await verify(copy, elsewhere);
        if (ok) unnoticed.push(`${name}: ${each.name}`);
        for (const file of changed) cpSync(join(out, file), join(copy, file));
      }
      expect(await verify(copy, elsewhere)).toMatchObject({ ok: true });
    }
    if (isFull) console.log(figures(unnoticed, tried));
    expect(unnoticed.filter((each) => !UNNOTICED.some(({ name }) => name.test(each)))).toEqual([]);
    if (isFull) expect(UNNOTICED.filter(({ name }) => !unnoticed.some((each) => name.test(each)))).toEqual([]); // the list is not longer than needed
  });
});

/** The figures of docs/guides/observe.md. A break counts for the first reason that names it. */
function figures(unnoticed: readonly string[], tried: number): string {
  const rows = UNNOTICED.map(({ name, reason }, index) => {
    const named = unnoticed.filter((each) => UNNOTICED.findIndex((other) => other.name.test(each)) === index);
    return `${named.length}\t${name.source}\t${reason}`;
  });
  return [`missed ${unnoticed.length} of ${tried}`, ...rows].join("\n");
}

/** Each field of each event broken, alone and in all events together; lines removed, repeated and exchanged. */
function* eventBreaks(events: readonly JsonObject[]): Generator<Break> {
  const schema = decisionSchema.json() as Parameters<typeof mutants>[0];
  const write = (broken: readonly unknown[]) => ({ "events.jsonl": jsonLines(broken) });
  const everywhere = new Map<string, Map<number, Mutant>>();
  for (const [index, event] of events.entries()) {
    for (const mutant of mutants(schema, event)) {
      yield {
        name: `${String(event["event_type"])}: ${mutant.path} ${mutant.how}`,
        files: write(events.with(index, mutant.value as JsonObject)),
      };
      const key = `${mutant.path} ${mutant.how}`;
      const same = everywhere.get(key) ?? new Map<number, Mutant>();
      everywhere.set(key, same.set(index, mutant));
    }
    yield { name: `line ${index + 1} is removed`, files: write(events.toSpliced(index, 1)) };
    yield { name: `line ${index + 1} is repeated`, files: write(events.toSpliced(index, 0, event)) };
  }
  for (const [key, same] of everywhere)
    if (same.size === events.length)
      yield { name: `all: ${key}`, files: write(events.map((event, index) => same.get(index)?.value ?? event)) };
}

/** Each field of each JSON file broken, each line of the others. */
function* fileBreaks(out: string, events: readonly JsonObject[]): Generator<Break> {
  for (const name of ["metadata.json", ...readdirSync(join(out, "artifacts")).map((each) => `artifacts/${each}`)]) {
    const text = readFileSync(join(out, name), "utf8");
    for (const [how, other] of changesOf(name, text))
      if (other !== text) yield { name: `${name}: ${how}`, files: { [name]: other, "events.jsonl": rehashed(events, text, other) } };
  }
}

function* changesOf(name: string, text: string): Generator<readonly [string, string]> {
  if (name.endsWith(".json")) {
    for (const { path, how, value } of mutants({}, JSON.parse(text))) yield [`${path} ${how}`, `${JSON.stringify(value, null, 2)}\n`];
    return;
  }
  const lines = text.split(/(?<=\n)/);
  for (const [index, line] of lines.entries()) {
    yield [`line ${index + 1} is removed`, lines.toSpliced(index, 1).join("")];
    yield [`line ${index + 1} is repeated`, lines.toSpliced(index, 0, line).join("")];
    if (!line.startsWith("{")) continue;
    for (const { path, how, value } of mutants({}, JSON.parse(line)))
      yield [`line ${index + 1}: ${path} ${how}`, lines.with(index, `${JSON.stringify(value)}\n`).join("")];
  }
  if (name.endsWith(".patch")) yield* changedLines(lines);
  yield ["is emptied", ""];
}

/** Each line of a hunk longer, and of the same length with different letters. */
function* changedLines(lines: readonly string[]): Generator<readonly [string, string]> {
  let file = "";
  for (const [index, line] of lines.entries()) {
    file = /^diff --git a\/(\S+)/.exec(line)?.[1] ?? file;
    if (!/^[-+ ]\w/.test(line)) continue;
    const where = line.startsWith(" ") ? "context line" : "line";
    yield [`${file}: ${where} ${index + 1} is longer`, lines.with(index, `${line.trimEnd()}, too\n`).join("")];
    yield [`${file}: line ${index + 1} reads differently`, lines.with(index, line.replace(/\w/, "#")).join("")];
  }
}

const hashOf = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

/** The events with the new hash and size of a file. */
function rehashed(events: readonly JsonObject[], before: string, after: string): string {
  return jsonLines(events)
    .replaceAll(hashOf(before), hashOf(after))
    .replaceAll(`"bytes":${Buffer.byteLength(before)}}`, `"bytes":${Buffer.byteLength(after)}}`);
}

/** Writes the broken files, and a seal that fits them. Returns what changed. */
function forged(out: string, files: Readonly<Record<string, string>>): readonly string[] {
  const path = join(out, "seal.json");
  const seal = JSON.parse(readFileSync(path, "utf8")) as { files: Record<string, { bytes: number; sha256: string }> };
  for (const [name, text] of Object.entries(files)) {
    if (existsSync(join(out, name))) writeFileSync(join(out, name), text);
    if (isObject(seal.files[name])) seal.files[name] = { bytes: Buffer.byteLength(text), sha256: hashOf(text) };
  }
  writeFileSync(path, `${JSON.stringify(seal, null, 2)}\n`);
  return ["seal.json", ...Object.keys(files)];
}
