import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fingerprintsOf } from "../../../../src/host/recording/format/fingerprints.ts";
import { openRun } from "../../../../src/host/recording/write/open-run.ts";
import { secretForms } from "../../../../src/host/secrets/secret-forms.ts";
import { cleanUp, eventually, type Place, place, type Started } from "../../../support/place.ts";
import { crashedCopy } from "./support/crashed.ts";
import { expectSealed, filesHolding, type OnDisk, onDisk, textOf } from "./support/recorded.ts";

/** A dead recorder has not masked the agent's last output: the next open does, before anything is shown. */

const LEAKS = join(import.meta.dirname, "support/leaks.mjs");
const SECRET = 'se"same/op+en?42';
const BASE64 = Buffer.from(`user:${SECRET}`).toString("base64").slice(8, -4);
const FORMS = [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET), BASE64];

afterAll(cleanUp);

interface Leaking {
  readonly here: Place;
  readonly started: Started;
  readonly run: OnDisk;
  /** Lets the agent print the rest; resolves when it is in the file. */
  readonly leak: () => Promise<void>;
}

/** A run with the secret in its prompt, and an agent that has printed it once. */
async function leaking(): Promise<Leaking> {
  const here = place();
  const go = join(here.root, "../go");
  const command = ["--agent", "generic", "--command", `${process.execPath} ${LEAKS} ${go}`];
  const env = { CANARY_TOKEN: SECRET };
  const started = here.start(["run", "--prompt", `My key is ${SECRET}.`, ...command], { env });
  await started.printed("ready");
  const run = onDisk(here.recordings()[0]?.directory ?? "");
  const leak = async () => {
    writeFileSync(go, "");
    await eventually(() => expect(textOf(run.paths.stdout)).toMatch(/done .*$/));
  };
  return { here, started, run, leak };
}

const holding = (root: string) =>
  filesHolding(root, ...FORMS)
    .map((path) => basename(path))
    .sort();

describe("a crash with secrets in the output", () => {
  let crashed: OnDisk;
  let crash: Place;

  beforeAll(async () => {
    const { here, started, run, leak } = await leaking();
    started.child.kill("SIGSTOP"); // it sees nothing of what follows
    await leak();
    started.child.kill("SIGKILL");
    await started.done;
    crash = here;
    crashed = onDisk(run.paths.directory);
  });

  test("until the next open, only the agent's output contains it", () => {
    expect(holding(crash.root)).toEqual(["raw.jsonl", "stderr.log"]);
  });

  test.each([
    ["sessions", "list"],
    ["sessions", "show", "last"],
    ["sessions", "verify", "last"],
    ["derive", "last", "--view", "stream"],
    ["derive", "last", "--view", "log", "--refs"],
    ["replay", "last", "--speed", "max"],
  ])("%s %s: masked before anything is shown, and counted", async (...args) => {
    const there = place();
    const copy = crashedCopy(there, crashed);
    expect(holding(there.root)).toEqual(["raw.jsonl", "stderr.log"]);
    const { code, stdout, stderr } = await there.harness(args);
    expect(code).toBe(0);
    for (const form of FORMS) expect(stdout + stderr).not.toContain(form);
    expect(holding(there.root)).toEqual([]);
    expect(filesHolding(there.root, "fingerprints")).toEqual([]);
    const { masked } = await expectSealed(copy.paths.directory);
    expect(masked).toBe(1 + 1 + 2 * 5 + 1); // in the prompt, once before the crash, then five forms on two streams, and at the end
    expect(onDisk(copy.paths.directory).raw).toHaveLength(crashed.raw.length);
    expect(onDisk(copy.paths.directory).raw.replaceAll("*", "")).toContain("form  of it");
  });
});

describe("a power cut", () => {
  test("bytes recorded as masked, but not masked on disk, are masked again", async () => {
    const here = place();
    const key = "sesame-open-42";
    const stars = "*".repeat(key.length);
    const env = { CANARY_TOKEN: key };
    await here.run(["--agent", "generic", "--command", "sh -c 'echo \"a $CANARY_TOKEN b\"; echo end'"], { env });
    const whole = onDisk(here.recording().directory);
    expect(whole.raw).toBe(`a ${stars} b\nend\n`);
    const secrets = { names: ["CANARY_TOKEN"], fingerprints: fingerprintsOf(secretForms([key])) };
    const copy = crashedCopy(place(), whole, (manifest) => ({ ...manifest, secrets }));
    writeFileSync(copy.paths.stdout, whole.raw.replace(stars, key));
    await openRun(copy.paths.directory);
    expect(onDisk(copy.paths.directory).raw).toBe(whole.raw);
    expect(await expectSealed(copy.paths.directory)).toMatchObject({ masked: 1 });
  });
});

describe("a run in progress, with secrets in its output", () => {
  test("readers, with or without --follow, see what the run itself shows", async () => {
    const { here, started, run, leak } = await leaking();
    const follower = here.start(["derive", "last", "--follow", "--view", "stream"]);
    await follower.printed("ready");
    started.child.kill("SIGSTOP");
    await leak();
    const peeks = [
      ["derive", "last", "--view", "stream"],
      ["sessions", "show", "last"],
      ["sessions", "list"],
    ];
    for (const { code, stdout } of await Promise.all(peeks.map((args) => here.harness(args)))) {
      expect(code).toBe(0);
      expect(stdout).not.toContain("done"); // its recorder has not seen that yet
      for (const form of FORMS) expect(stdout).not.toContain(form);
    }
    started.child.kill("SIGCONT");
    await started.printed("form ");
    started.child.kill("SIGINT");
    const [live, followed] = await Promise.all([started.done, follower.done]);
    expect(followed.stdout).toBe(live.stdout);
    expect(live.stdout).toContain("done ****");
    for (const form of FORMS) expect(live.stdout).not.toContain(form);
    expect(holding(here.root)).toEqual([]);
    await expectSealed(run.paths.directory);
  });
});
