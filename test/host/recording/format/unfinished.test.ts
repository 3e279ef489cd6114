import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deriveRun } from "../../../../src/host/recording/derive/derive-run.ts";
import { fingerprintsOf } from "../../../../src/host/recording/format/fingerprints.ts";
import { readManifest } from "../../../../src/host/recording/format/read-manifest.ts";
import { openRun } from "../../../../src/host/recording/write/open-run.ts";
import { secretForms } from "../../../../src/host/secrets/secret-forms.ts";
import { generic } from "../../../../src/pure/agents/generic/agent.ts";
import { stream } from "../../../../src/pure/views/stream/view.ts";
import { BIN } from "../../../support/harness.ts";
import { cleanUp, jsonLines, type Place, place, quoted } from "../../../support/place.ts";
import { canMount } from "./support/can-mount.ts";
import { crashedCopy } from "./support/crashed.ts";
import { expectSealed, type OnDisk, onDisk } from "./support/recorded.ts";

/** Unfinished runs that we cannot or must not finish: they stay unchanged and can be read. */

const SECRET = "sesame-open-42";
const fingerprints = fingerprintsOf(secretForms([SECRET]));

let here: Place;
let whole: OnDisk;

afterAll(cleanUp);
beforeAll(async () => {
  here = place();
  await here.run(["--agent", "generic", "--command", "sh -c 'echo one; echo two'"]);
  whole = onDisk(here.recording().directory);
});

/** A crashed run with a secret in output that its recorder has not seen. */
function crashed(there: Place, agent = "generic"): OnDisk {
  const run = crashedCopy(there, whole, (manifest) => ({ ...manifest, agent, secrets: { names: ["KEY"], fingerprints } }));
  writeFileSync(run.paths.stdout, `${whole.raw}three ${SECRET}\n`);
  const [first] = readFileSync(run.paths.records, "utf8").split("\n");
  writeFileSync(run.paths.records, `${first}\n`);
  return run;
}

/** Names, times and contents of everything there. */
function contents(root: string): unknown {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => {
    const stats = lstatSync(join(root, name));
    return [name, stats.mtimeMs, stats.mode, stats.isFile() ? readFileSync(join(root, name), "base64") : ""];
  });
}

async function derived(directory: string): Promise<string> {
  const manifest = readManifest(join(directory, "run.json"));
  const batches: object[] = [];
  for await (const batch of deriveRun(manifest, directory, generic, stream)) batches.push(...batch);
  return batches.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function expectShown(text: string): void {
  for (const word of ["one", "two", "three **************"]) expect(text).toContain(word);
  expect(text).not.toContain(SECRET);
  expect(jsonLines(text).at(-1)?.["type"]).toBe("Result");
}

describe("a run that cannot be finished", () => {
  test("of an agent that is no longer known: one sentence, and it stays unchanged", async () => {
    const there = place();
    const run = crashed(there, "their-own");
    const before = contents(there.root);
    const opened = await openRun(run.paths.directory);
    const id = run.manifest.id;
    const sentence = `The run ${id} was not finished by its recorder and is left unfinished: The run ${id} was recorded with an agent that is not known here ("their-own")`;
    expect(opened.notice).toContain(sentence);
    const list = await there.harness(["sessions", "list"]);
    expect(list.code).toBe(0);
    expect(JSON.parse(list.stdout)).toMatchObject({ id, agent: "their-own" });
    const derive = await there.harness(["derive", "last"]);
    expect(derive).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('an agent that is not known here ("their-own")') });
    expectShown((await there.harness(["derive", "last", "--agent", "generic", "--view", "stream"])).stdout);
    expectShown(await derived(run.paths.directory));
    expect(contents(there.root)).toEqual(before);
  });

  test("outside any directory of runs: nothing is created next to it", async () => {
    const there = place();
    const run = crashed(there);
    const copy = join(there.root, "../a/b/copy");
    cpSync(run.paths.directory, copy, { recursive: true });
    const { notice } = await openRun(copy);
    expect(notice).toContain(`${copy} is not in a directory called runs`);
    expect(existsSync(join(copy, "../../sessions"))).toBe(false);
    expectShown((await there.harness(["derive", copy, "--view", "stream"])).stdout);
    expect(readFileSync(join(copy, "raw.jsonl"), "utf8")).toContain(SECRET);
  });

  test("with a forged run.json: processes are never searched by part of a cookie", async () => {
    const there = place();
    for (const cookie of ["", "x", "20260101-000000-abcdef.0\nPATH=", "20260101-000000-abcdef."]) {
      const { paths } = crashedCopy(there, whole);
      writeFileSync(paths.manifest, JSON.stringify({ ...onDisk(paths.directory).manifest, cookie }));
      await expect(openRun(paths.directory)).rejects.toThrow("is damaged: it does not describe a run");
    }
  });

  test("with a forged run.json: no view is written under a name that leads elsewhere", async () => {
    const there = place();
    for (const name of ["../events.jsonl", "a/b.jsonl", "metadata.json", ".hidden.jsonl", ""]) {
      const { paths, manifest } = crashedCopy(there, whole);
      writeFileSync(paths.manifest, JSON.stringify({ ...manifest, observed: { out: there.root, views: { [name]: "log" } } }));
      await expect(openRun(paths.directory)).rejects.toThrow("is damaged: it does not describe a run");
    }
  });

  test("with a view that is not known here: the rest is finished, and that view stays unchanged", async () => {
    const there = place();
    const out = join(there.root, "out");
    const views = { "events.jsonl": "decision", "later.jsonl": "of-a-later-version", "odd.jsonl": "constructor" };
    const { paths } = crashedCopy(there, whole, (manifest) => {
      mkdirSync(out);
      writeFileSync(join(out, "metadata.json"), JSON.stringify({ run_id: manifest.id }));
      for (const name of ["later.jsonl", "odd.jsonl"]) writeFileSync(join(out, name), "{}\n");
      return { ...manifest, observed: { out, views } };
    });
    await openRun(paths.directory);
    const { files } = await expectSealed(paths.directory);
    expect(Object.keys(files).filter((name) => name.startsWith("out/"))).toEqual([
      "out/events.jsonl",
      "out/metadata.json",
      "out/artifacts/process.json",
    ]);
    for (const name of ["later.jsonl", "odd.jsonl"]) expect(readFileSync(join(out, name), "utf8")).toBe("{}\n");
  });

  test.runIf(canMount)("on a read-only disk: its contents are shown, masked", async () => {
    const there = place();
    const run = crashed(there);
    const before = contents(there.root);
    const derive = [process.execPath, BIN, "derive", "last", "--view", "stream"].map(quoted).join(" ");
    const script = `mount --bind "$D" "$D" && mount -o remount,bind,ro "$D" && ${derive}`;
    const { code, stdout } = await there.spawn("unshare", ["-rm", "sh", "-c", script], { env: { D: there.root } }).done;
    expect(code).toBe(0);
    expectShown(stdout);
    expect(contents(there.root)).toEqual(before);
    await there.harness(["sessions", "list"]); // if it is writable, it is finished
    expect((await expectSealed(run.paths.directory)).masked).toBe(1);
  });

  test("on a disk that fills up meanwhile: the next open finishes it", async () => {
    const there = place();
    const run = crashed(there);
    mkdirSync(`${run.paths.events}.torn-0`); // blocks the name for the bytes set aside
    writeFileSync(run.paths.events, "spoiled\n");
    const line = 'ulimit -f 1; exec "$@"';
    const full = await there.spawn("sh", ["-c", line, "sh", process.execPath, BIN, "derive", "last", "--view", "stream"]).done;
    expect(full.code).toBe(0);
    expectShown(full.stdout);
    expect(onDisk(run.paths.directory).manifest.sealed).toBeUndefined();
    await there.harness(["sessions", "list"]);
    const { repairs } = await expectSealed(run.paths.directory);
    expect(repairs).toContainEqual(expect.stringContaining("events.jsonl was torn or damaged at byte 0"));
  });
});
