import { copyFileSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { eventsOfRun } from "../../../src/host/recording/derive/index.ts";
import { readManifest } from "../../../src/host/recording/format/read-manifest.ts";
import { LONGEST_FACT } from "../../../src/host/recording/format/record-lines.ts";
import { runPaths, sessionPaths } from "../../../src/host/recording/format/run-paths.ts";
import { completeRun } from "../../../src/host/recording/write/complete-run.ts";
import { beginRecording } from "../../../src/host/recording/write/open-recording.ts";
import { verifyRun } from "../../../src/host/recording/write/verify-run.ts";
import { variants } from "../../../src/pure/base/index.ts";
import { addition, declarations } from "../../../src/pure/events/event.ts";
import { type EventBody, type FactBody, fact } from "../../../src/pure/events/index.ts";
import type { Agent } from "../../../src/pure/pipeline/index.ts";
import { isFull, runs } from "../../support/full.ts";
import { cleanUp, place } from "../../support/place.ts";
import { generator, pick } from "../../support/random.ts";
import { type Schema, type Values, values } from "./values.ts";

/** S1: whatever a writer emits, every reader reads: sealed, or completed after its recorder was killed at any byte. */

afterAll(cleanUp);

const startedAt = Date.UTC(2021, 2, 3);
const parts = new Map<string, object>();
const facts = (fact.json(parts) as Schema).oneOf ?? [];
const events = (variants(declarations, addition).json(parts) as Schema).oneOf ?? [];
const LARGE = runs(1, 8) * 1024 * 1024;
/** A description of five such texts is readable, whatever they hold: JSON has up to six characters for one. */
const LONGEST_LABEL = 400_000;

/** Each line of its output is the JSON of an event, which it repeats. */
const echo: Agent = {
  id: "echo",
  title: "Echo",
  binaries: [],
  command: () => ({ args: [] }),
  open: () => ({ push: (line) => [line as unknown as EventBody], end: () => [] }),
};

/** What is in a data directory about the only run. */
interface Stored {
  readonly paths: ReturnType<typeof runPaths>;
  readonly session: ReturnType<typeof sessionPaths>;
}

function storedIn(root: string, id: string): Stored {
  return { paths: runPaths(join(root, "runs", id)), session: sessionPaths(join(root, "sessions"), id) };
}

/** The files of a run whose recorder is killed now. */
function killed(from: Stored, root: string, id: string): Stored {
  const to = storedIn(root, id);
  for (const folder of ["runs", "sessions"]) mkdirSync(join(root, folder), { recursive: true, mode: 0o700 });
  cpSync(from.paths.directory, to.paths.directory, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
  for (const name of ["stream", "meta"] as const) copyFileSync(from.session[name], to.session[name]);
  return to;
}

async function derived({ paths }: Stored): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const batch of eventsOfRun(readManifest(paths.manifest), paths.directory, echo))
    found.push(...batch.map((event) => JSON.stringify(event)));
  return found;
}

async function flaws({ paths, session }: Stored): Promise<readonly object[]> {
  return verifyRun(readManifest(paths.manifest), paths, session.stream, echo);
}

/** How many bytes of the records, or of the views, were set aside. */
function asideOf({ paths, session }: Stored, which: "records" | "views"): number {
  const folders = [paths.directory, dirname(session.stream)];
  const names = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const asides = names.filter((name) => name.includes(".torn-") && name.startsWith(paths.records) === (which === "records"));
  return asides.reduce((sum, name) => sum + statSync(name).size, 0);
}

/** Cuts a file in its last `reach` bytes, and says how long its torn last line is. */
function tear(path: string, reach: number, random: () => number): number {
  const { size } = statSync(path);
  const end = size - (random() % (Math.min(reach, size) + 1));
  truncateSync(path, end);
  return end - (readFileSync(path).subarray(0, end).lastIndexOf(10) + 1);
}

/** A run of `steps` random facts, events and bytes: sealed; and killed, torn, and completed. */
async function roundTrip(random: () => number, longest: number, steps: readonly ((made: Values) => Step)[]): Promise<void> {
  const where = place();
  const made = values(random, parts, longest, longest === LARGE);
  const label = () => made.text(random() % Math.min(longest, LONGEST_LABEL));
  const live: string[] = [];
  const id = "20210303-000000-round";
  const recording = await beginRecording(
    {
      agent: echo,
      id,
      startedAt,
      dataDirectory: where.root,
      environment: {},
      origin: { id: label(), about: made.of({ type: "object" }) as Record<string, unknown> },
      prompt: made.text(),
      model: label(),
      name: label(),
      tags: Array.from({ length: random() % 3 }, label),
    },
    (batch) => live.push(...batch.map((event) => JSON.stringify(event))),
  );
  const stored = storedIn(where.root, id);
  const kept: string[] = []; // the JSON of each fact
  let at = startedAt;
  for (const step of steps) {
    const { fact: body, stdout, stderr } = step(made);
    at += random() % 3;
    const json = JSON.stringify(body ?? null);
    if (body !== undefined && json.length > LONGEST_FACT) expect(() => recording.fact(body, at)).toThrow("too long");
    else if (body !== undefined) {
      recording.fact(body, at);
      kept.push(json);
    }
    if (stdout !== undefined) recording.stdout(stdout, at);
    if (stderr !== undefined) recording.stderr(stderr, at);
  }

  const dead = killed(stored, place().root, id);
  const [cutRecords, cutViews] = [killed(stored, place().root, id), killed(stored, place().root, id)];
  const tail = tear(cutRecords.paths.records, 3 * longest, random);
  for (const path of [cutViews.paths.events, cutViews.session.stream]) tear(path, 3 * longest, random);

  const seal = await recording.end({ at, exitCode: pick([0, 1, null, 255], random), signal: pick([null, "SIGKILL", label()], random) });
  expect(readManifest(stored.paths.manifest).sealed).toEqual(JSON.parse(JSON.stringify(seal)));
  expect(await flaws(stored)).toEqual([]);
  const replayed = await derived(stored);
  expect(replayed.length).toBe(live.length);
  for (const [i, event] of replayed.entries()) if (event !== live[i]) expect(event.slice(0, 2000)).toBe(live[i]?.slice(0, 2000));

  for (const run of [dead, cutRecords, cutViews]) {
    const manifest = readManifest(run.paths.manifest);
    await completeRun({ paths: run.paths, session: run.session, manifest, agent: echo, leftovers: null });
    expect(await flaws(run)).toEqual([]);
    expect(asideOf(run, "records")).toBeLessThanOrEqual(run === cutRecords ? tail : 0);
    expect(readFileSync(run.paths.stdout).equals(readFileSync(stored.paths.stdout))).toBe(true);
    if (run === cutRecords) continue; // views may show what the torn records held
    expect(asideOf(run, "views")).toBe(0);
    const bodies = new Set((await derived(run)).map((event) => JSON.stringify(JSON.parse(event).body)));
    for (const body of kept) if (!bodies.has(body) && !body.includes('"process-observed"')) expect.fail(`lost: ${body.slice(0, 300)}`);
  }
}

interface Step {
  readonly fact?: FactBody;
  readonly stdout?: Buffer;
  readonly stderr?: Buffer;
}

const factStep = (schema: Schema) => (made: Values) => ({ fact: made.of(schema) as FactBody });
const eventStep = (schema: Schema) => (made: Values) => ({ stdout: Buffer.from(`${JSON.stringify(made.of(schema))}\n`) });
const bytesStep = (made: Values) => ({ stdout: made.bytes(), stderr: made.bytes() });

function typeOf(schema: Schema): string {
  return String(schema.properties?.["type"]?.const);
}

describe("S1: what is written can be read", { timeout: isFull ? 7_200_000 : 300_000 }, () => {
  const beforeEnd = facts.filter((schema) => typeOf(schema) !== "process-observed");

  test("any fact, event and bytes, of any content and count", async () => {
    for (let i = 0; i < runs(8, 400); i++) {
      const random = generator(1000 + i);
      const steps = Array.from({ length: 1 + (random() % 12) }, () =>
        pick([factStep(pick(beforeEnd, random)), eventStep(pick(events, random)), bytesStep], random),
      );
      await roundTrip(random, pick([100, 5000, 300_000], random), steps).catch((error: Error) => {
        error.message = `seed ${1000 + i}: ${error.message}`;
        throw error;
      });
    }
  });

  const longest = [...facts.map((schema) => ["fact", schema] as const), ...events.map((schema) => ["event", schema] as const)];
  test(`texts of ${LARGE} characters in every fact and event`, async () => {
    const step = Math.ceil(longest.length / runs(2, longest.length));
    for (const [i, [kind, schema]] of longest.entries()) {
      if (i % step !== 0) continue;
      const random = generator(i);
      const make = kind === "fact" ? factStep(schema) : eventStep(schema);
      await roundTrip(random, LARGE, [make]);
    }
  });
});
