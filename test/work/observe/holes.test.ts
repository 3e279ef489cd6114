import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/pure/base/json.ts";
import { jsonLines, parseJsonLines } from "../../../src/pure/base/json-lines.ts";
import { capture } from "../../../src/work/evaluate/index.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { type ObserveCall, observe } from "../../../src/work/observe/observe.ts";
import { verify } from "../../../src/work/observe/verify/verify.ts";
import { LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, folder } from "./support.ts";

afterAll(cleanUpFolders);

const elsewhere = { dataDirectory: "/does/not/exist" };
// biome-ignore lint/suspicious/noExplicitAny: a test that breaks values breaks their types first
type Broken = any;

async function observed(
  options: Partial<ObserveCall>,
): Promise<{ readonly out: string; readonly data: string; readonly events: Broken[] }> {
  const base = folder();
  const [out, data] = [join(base, "out"), join(base, "data")];
  const { done } = await observe({ agent: "generic", prompt: "Go.", dataDirectory: data, out, ...options });
  await done.catch(() => {}); // an agent that cannot be started has its nine events too
  return { out, data, events: parseJsonLines<Broken>(readFileSync(join(out, "events.jsonl"), "utf8")) };
}

/** Makes the seal match the files as they are now. */
function reseal(out: string): void {
  const path = join(out, "seal.json");
  const seal = JSON.parse(readFileSync(path, "utf8")) as { files: Record<string, JsonObject> };
  for (const name of Object.keys(seal.files)) {
    if (!existsSync(join(out, name))) {
      delete seal.files[name];
      continue;
    }
    const bytes = readFileSync(join(out, name));
    seal.files[name] = { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  }
  writeFileSync(path, `${JSON.stringify(seal, null, 2)}\n`);
}

const modes = (events: readonly Broken[]) => new Set(events.map(({ observability_mode }) => observability_mode));

describe("only our own program is a white box", () => {
  const printed = readFileSync("fixtures/native/parallel-calls/raw.jsonl", "utf8");
  const own = { agent: "native", model: "openai/scripted", env: { OPENAI_API_KEY: "scripted-key" } } as const;

  test("a program in place of Node that prints what our agent prints is a black box", { timeout: 2 * LONG_MS }, async () => {
    const binary = join(folder(), "node");
    writeFileSync(binary, `#!/bin/sh\ncat <<'E'\n${printed}E\n`);
    chmodSync(binary, 0o755);
    const { out, data, events } = await observed({ ...own, binary });
    expect(modes(events)).toEqual(new Set(["black_box"]));
    expect(events[4].model_output).toMatchObject({ tool_calls: [], usage: null });
    expect(await verify(out, { dataDirectory: data })).toMatchObject({ ok: true, flaws: [] });
    expect(await verify(out, elsewhere)).toMatchObject({ ok: true, flaws: [] });
    const white = events.map((event) => ({ ...event, observability_mode: "white_box" }));
    writeFileSync(join(out, "events.jsonl"), jsonLines(white));
    reseal(out);
    expect((await verify(out, elsewhere)).flaws).toMatchObject([{ line: 1, problem: expect.stringContaining("white_box") }]);
  });

  test("the Node that runs harness, by a different name, is a white box", { timeout: 2 * LONG_MS }, async () => {
    const binary = join(folder(), "my-node");
    symlinkSync(process.execPath, binary);
    expect(modes((await observed({ ...own, binary })).events)).toEqual(new Set(["white_box"]));
  });
});

describe("deleting evidence is a flaw, also with a new seal", () => {
  test("the record of the process", { timeout: 2 * LONG_MS }, async () => {
    const { out } = await observed({ command: "true" });
    rmSync(join(out, "artifacts/process.json"));
    reseal(out);
    expect((await verify(out, elsewhere)).flaws).toEqual([
      { file: "events.jsonl", problem: expect.stringContaining("artifacts/process.json is missing") },
    ]);
  });

  test("its start, or its end", { timeout: 2 * LONG_MS }, async () => {
    const { out } = await observed({ command: "true" });
    const path = join(out, "artifacts/process.json");
    const good = JSON.parse(readFileSync(path, "utf8"));
    for (const broken of [
      { ...good, ended: {} },
      { ...good, started: { root: good.started.root } },
      { ...good, started: {}, ended: {} },
    ]) {
      writeFileSync(path, `${JSON.stringify(broken, null, 2)}\n`);
      reseal(out);
      expect(await verify(out, elsewhere)).toMatchObject({ ok: false });
    }
  });

  test("an agent that could not be started has no flaw", { timeout: 2 * LONG_MS }, async () => {
    const binary = join(folder(), "program");
    writeFileSync(binary, "\u007fELF");
    chmodSync(binary, 0o755);
    const { out, data } = await observed({ agent: "claude", binary });
    expect((await verify(out, { dataDirectory: data })).flaws).toEqual([]);
    expect((await verify(out, elsewhere)).flaws).toEqual([]);
  });
});

test("the usage of a white box is computed again from the model's ledger", { timeout: 4 * LONG_MS }, async () => {
  const ledger = join(folder(), "ledger.jsonl");
  writeFileSync(ledger, "");
  const onEntry = (entry: object) => writeFileSync(ledger, jsonLines([entry]), { flag: "a" });
  const model = await serveModel({ scenarios: loadScenarios(["scenarios/commands.yaml"]), port: 0, onEntry });
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "scripted-key" };
  const own = { agent: "native", model: "openai/scripted", permissions: "full" as const, env, prompt: "Do it. [[commands]]", ledger };
  const { out, data, events } = await observed(own);
  await model.close();
  expect(events[4].model_output.usage.input).toBeGreaterThan(0);
  for (const where of [elsewhere, { dataDirectory: data }]) expect(await verify(out, where)).toMatchObject({ ok: true, flaws: [] });

  const path = join(out, "artifacts/model_ledger.jsonl");
  const good = readFileSync(path, "utf8");
  const [first, ...rest] = parseJsonLines<Broken>(good);
  const problemOf = async (text: string | undefined) => {
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
    reseal(out);
    return (await verify(out, elsewhere)).flaws[0]?.problem;
  };
  const less = { ...first, usage: { ...first.usage, input: first.usage.input - 1 } };
  expect(await problemOf(jsonLines([less, ...rest]))).toMatch(/^model_output\.usage\.input is \d+; the model's ledger gives \d+$/);
  expect(await problemOf(jsonLines([first, first, ...rest]))).toContain("model_output.usage");
  expect(await problemOf('{"kind":"turn"}\n')).toContain("is not the ledger of this run");
  expect(await problemOf(good)).toBeUndefined();
  expect(await problemOf(undefined)).toContain("model_ledger.jsonl is missing");
});

test("`sign` together with `execute` is rejected, not ignored", async () => {
  const call = capture({
    cases: [{ id: "a", input: "Go." }],
    agents: ["generic"],
    sign: "/key",
    execute: async () => ({}) as never,
  } as never);
  await expect(call).rejects.toMatchObject({ code: "usage", option: "sign", message: expect.stringContaining("openTrialHost") });
});
