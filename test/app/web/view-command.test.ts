import { afterAll, expect, test } from "vitest";
import { agent, cleanUp, place } from "../../support/place.ts";
import { record } from "./recorded.ts";
import { visited } from "./server.ts";

afterAll(cleanUp);

test("prints its address first, serves, and ends on a signal", async () => {
  const where = place();
  const id = await record(where, "claude/one-turn");
  const view = where.start(["view", "last", "--port", "0", "--no-open"], { env: { XDG_CACHE_HOME: where.root } });
  await view.printed("\n");
  const [address = ""] = view.text().split("\n");
  expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#token=[\\w-]{43}/runs/${id}$`));
  expect((await fetch(address)).status).toBe(200);
  const { port } = new URL(address);
  const second = await where.harness(["view", "--port", port, "--no-open"], { env: { XDG_CACHE_HOME: where.root } });
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(second.stderr).toMatch(/^harness: Port \d+ is in use\. .*\n$/);
  view.child.kill("SIGTERM");
  expect(await view.done).toMatchObject({ code: 0, stderr: "" });
});

test("opens a run outside the data directory; rejects a missing one", async () => {
  const where = place();
  const elsewhere = place();
  const id = await record(elsewhere, "claude/one-turn");
  const directory = elsewhere.recording().directory;
  const view = where.start(["view", directory, "--port", "0", "--no-open"], { env: { XDG_CACHE_HOME: where.root } });
  await view.printed("\n");
  const [address = ""] = view.text().split("\n");
  const authorization = `Bearer ${/#token=([^/]+)/.exec(address)?.[1]}`;
  const answer = await fetch(new URL(`/api/runs/${id}`, address), { headers: { authorization } });
  const { row } = (await answer.json()) as { row: { id: string } };
  expect(row.id).toBe(id);
  view.child.kill("SIGINT");
  expect((await view.done).code).toBe(0);
  const none = await where.harness(["view", "nothing-like-that", "--no-open"]);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect((await where.harness(["view", "--export", "x.html"])).stderr).toMatch(/^harness: --export needs a run/);
});

test("secrets of an unsealed run are masked", async () => {
  const where = place();
  const secret = "sk-canary-0123456789";
  const live = where.start(
    ["run", "--prompt", `Use ${secret}.`, "--agent", "generic", "--command", agent("leaks-and-stays.mjs"), "--json"],
    {
      env: { CANARY_API_KEY: secret },
    },
  );
  await live.printed("****");
  const page = await visited(where);
  const id = where.recording().id;
  const paths = [
    "/api/runs",
    `/api/runs/${id}`,
    `/api/runs/${id}/events?seq=1-9`,
    `/api/runs/${id}/raw/stdout`,
    `/api/runs/${id}/raw/stderr`,
  ];
  for (const path of paths) expect(await (await page.get(path)).text()).not.toContain(secret);
  const whole = await (await page.get(`/api/runs/${id}/raw/stdout`)).text();
  expect(whole).toContain("****");
  const inside = whole.indexOf("****") + 5;
  expect(await (await page.get(`/api/runs/${id}/raw/stdout?offset=${inside}&length=8`)).text(), "half of one").toBe("********");
  expect(await (await page.get(`/api/runs/${id}/raw/stdout?offset=0&length=${inside}`)).text()).toBe(whole.slice(0, inside));
  await page.close();
  live.child.kill("SIGTERM");
  await live.done;
});
