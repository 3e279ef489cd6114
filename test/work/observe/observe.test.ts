import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundle, check, observe, verify } from "../../../src/observe.ts";
import { LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, folder, script } from "./support.ts";

afterAll(cleanUpFolders);

test("four calls observe, verify, check again and bundle", { timeout: LONG_MS }, async () => {
  const base = folder();
  const where = { dataDirectory: join(base, "data") };
  const command = script(base, "echo made > file; echo Done.");
  const observation = await observe({ agent: "generic", command, prompt: "Make a file.", out: join(base, "out"), ...where });
  const types: string[] = [];
  for await (const event of observation) types.push(event.event_type);
  expect(types).toHaveLength(9);
  const { status, head, checks } = await observation.done;
  expect(status).toBe("completed");
  expect(await check(observation.out, where)).toEqual(checks);
  expect(await check("last", { ...where, checks: ["security.no_secrets"] })).toContainEqual(
    expect.objectContaining({ id: "security.no_secrets", status: "pass" }),
  );
  for (const target of ["last", observation.id, observation.directory, observation.out])
    expect(await verify(target, where)).toMatchObject({ id: observation.id, ok: true, head, flaws: [] });
  const archive = await bundle("last", { ...where, output: join(base, "run.tar") });
  expect(archive.path).toBe(join(base, "run.tar"));
  expect(await verify(archive.path, { dataDirectory: join(base, "elsewhere") })).toMatchObject({ target: "bundle", ok: true, head });
});

test("events need not be read", { timeout: LONG_MS }, async () => {
  const base = folder();
  const options = { agent: "generic", command: "false", dataDirectory: join(base, "data"), out: join(base, "out") };
  const { done } = await observe({ ...options, scenario: { id: "any", request: "Go.", constraints: [] } });
  expect(await done).toMatchObject({ status: "failed", checks: expect.arrayContaining([expect.objectContaining({ status: "unknown" })]) });
});

test.each([
  ["neither a scenario nor a prompt", {}, "pass a scenario or a prompt"],
  ["both", { scenario: "x.md", prompt: "Go." }, "Pass either a scenario or a prompt"],
  ["no such scenario", { scenario: "/does/not/exist.md" }, "there is no such file"],
  ["no such agent", { prompt: "Go.", agent: "unknown-agent" }, "unknown-agent"],
  ["no such check", { prompt: "Go.", checks: ["nonsense"] }, "nonsense"],
  ["a mistyped check", { prompt: "Go.", checks: ["truth.consistant"] }, "Did you mean truth.consistent?"],
])("%s: rejects, and leaves nothing behind", async (_, options, message) => {
  const base = folder();
  const call = { agent: "generic", command: "true", dataDirectory: join(base, "data"), out: join(base, "out"), ...options };
  await expect(observe(call)).rejects.toThrow(message);
  expect(["data", "out"].filter((name) => existsSync(join(base, name)))).toEqual([]);
});
