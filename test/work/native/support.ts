import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import type { HarnessEvent, HarnessEventOf, HarnessEventType } from "../../../src/pure/events/harness-event.ts";
import { readModelScenario } from "../../../src/work/model/read-model-scenario.ts";
import { type ModelServer, serveModel } from "../../../src/work/model/serve-model.ts";
import type { NewId } from "../../../src/work/native/new-id.ts";

/** A key that must appear nowhere. */
export const KEY = "sk-canary-0123456789abcdef";

/** One model of each dialect. */
export const models = {
  anthropic: "anthropic/scripted",
  openai: "openai/scripted",
  google: "google/scripted",
  compatible: "openrouter/scripted/one",
} as const;

/** A scripted model that plays one scenario until the test ends. */
export async function scripted(scenario: string): Promise<ModelServer> {
  const server = await serveModel({ scenarios: [readModelScenario(scenario, "scenario.yaml")] });
  onTestFinished(() => server.close());
  return server;
}

/** Provider options that lead to it. */
export function accessTo({ url }: Pick<ModelServer, "url">, model: string) {
  return { baseUrl: model.startsWith("google/") ? `${url}/v1beta` : `${url}/v1`, apiKey: KEY, environment: {} };
}

/** A custom server, for when the scripted model is too well-behaved. */
export async function served(listener: RequestListener): Promise<{ readonly url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A server that rejects every request and keeps it. */
export async function refusing<Body>(): Promise<{ readonly url: string; readonly bodies: readonly Body[] }> {
  const bodies: Body[] = [];
  const { url } = await served((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      bodies.push(JSON.parse(text));
      response.writeHead(400).end("{}");
    });
  });
  return { url, bodies };
}

export async function all(events: AsyncIterable<HarnessEvent>): Promise<HarnessEvent[]> {
  const list: HarnessEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

export function only<T extends HarnessEventType>(events: readonly HarnessEvent[], type: T): HarnessEventOf<T>[] {
  return events.filter((event): event is HarnessEventOf<T> => event.type === type);
}

export function textOf(events: readonly HarnessEvent[]): string {
  return only(events, "text")
    .map(({ content }) => content)
    .join("");
}

/**
 * Holds for every complete stream: each run begins once and ends once, nothing is outside a run, each call has one result after it, and a
 * parent comes before its children.
 */
export function closed(events: readonly HarnessEvent[]): void {
  const open = new Set<string>();
  const ended = new Set<string>();
  const nodes = new Set<string>();
  const calls = new Map<string, number>();
  for (const event of events) {
    const { runId, parentId } = event;
    if (event.type === "harness_start") {
      expect(open.has(runId) || ended.has(runId), `${runId} begins once`).toBe(false);
      open.add(runId);
    }
    expect(open.has(runId), `${event.type} of ${runId} is within its run`).toBe(true);
    if (parentId !== undefined) expect(nodes.has(parentId) || open.has(parentId) || ended.has(parentId), `${parentId} precedes`).toBe(true);
    if (event.type === "tool_call") calls.set(event.id, 0);
    if (event.type === "tool_result") calls.set(event.id, (calls.get(event.id) ?? 0) + 1);
    if (event.type === "harness_end") {
      open.delete(runId);
      ended.add(runId);
    } else if ("id" in event && event.id !== undefined) nodes.add(event.id);
  }
  expect([...open], "every run ends").toEqual([]);
  expect(
    [...calls].filter(([, results]) => results !== 1),
    "each call has one result",
  ).toEqual([]);
}

/** Ids that are the same every time. */
export function countedIds(): NewId {
  let count = 0;
  return (kind) => `${kind}-${++count}`;
}

const folders: string[] = [];

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "harness-native-"));
  folders.push(path);
  return path;
}

afterAll(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});
