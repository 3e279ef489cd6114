import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, type Place, place } from "../../support/place.ts";

afterAll(cleanUp);

const LISTINGS = join(import.meta.dirname, "../../support/listings.mjs");

/** Runs with an empty run.json, each with its logs and the torn part of a repair. */
function placeWith(count: number): Place & { readonly ids: readonly string[] } {
  const here = place();
  const ids = Array.from({ length: count }, (_, i) => `20260101-${String(100_000 + i)}-${String(i).padStart(6, "x")}`);
  for (const folder of [here.root, here.runs, here.sessions]) mkdirSync(folder, { mode: 0o700 });
  for (const id of ids) {
    mkdirSync(join(here.runs, id));
    writeFileSync(join(here.runs, id, "run.json"), "{}");
    for (const end of ["ndjson", "meta.json", "ndjson.torn-17"]) writeFileSync(join(here.sessions, `${id}.${end}`), "");
  }
  return { ...here, ids };
}

/** How many times a command listed the runs and their logs. */
async function listings(here: Place, args: readonly string[]): Promise<{ runs: number; sessions: number; stdout: string }> {
  const file = join(here.root, "listings");
  const { code, stdout, stderr } = await here.harness(["runs", ...args], { node: ["--import", LISTINGS], env: { LISTINGS: file } });
  expect([code, stderr]).toEqual([0, ""]);
  const listed = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const of = (directory: string) => listed.filter((path) => path === directory).length;
  return { runs: of(here.runs), sessions: of(here.sessions), stdout };
}

describe("the directories of runs and logs are listed", () => {
  test.each([20, 60])("once or twice to prune all but five of %i runs", async (count) => {
    const here = placeWith(count);
    const { stdout, ...counted } = await listings(here, ["prune", "--keep", "5"]);
    expect(counted).toEqual({ runs: 2, sessions: 1 }); // the second time to find abandoned starts
    expect(stdout.trim().split("\n")).toEqual(here.ids.slice(0, -5).reverse());
    const kept = here.ids.slice(-5);
    expect(readdirSync(here.runs)).toEqual(kept);
    expect(readdirSync(here.sessions)).toEqual(
      kept.flatMap((id) => ["meta.json", "ndjson", "ndjson.torn-17"].map((end) => `${id}.${end}`)),
    );
  });

  test("once to delete several runs by a prefix", async () => {
    const here = placeWith(20);
    const { stdout, ...counted } = await listings(here, ["rm", "xxxxx3", "20260101-100007", "last"]);
    expect(counted).toEqual({ runs: 1, sessions: 1 });
    const gone = [3, 7, 19].map((i) => here.ids[i]);
    expect(stdout.trim().split("\n")).toEqual(gone);
    expect(readdirSync(here.runs)).toEqual(here.ids.filter((id) => !gone.includes(id)));
  });

  test("never to find runs by their whole ids", async () => {
    const here = placeWith(20);
    const [first = "", second = ""] = here.ids;
    expect(await listings(here, ["path", first])).toEqual({ runs: 0, sessions: 0, stdout: `${join(here.runs, first)}\n` });
    expect(await listings(here, ["rm", first, second, first])).toEqual({ runs: 0, sessions: 1, stdout: `${first}\n${second}\n` });
  });
});
