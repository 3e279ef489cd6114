import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { traced } from "../../../src/pure/checks/traced-effects.ts";
import type { TraceGapReason } from "../../../src/pure/events/index.ts";
import { BLINDING, KNOWN_SOCKETS, UNDERSTOOD } from "../../../src/work/observe/commands/trace/known-parts.ts";
import { HARMLESS, isHarmless, UNTRACED } from "../../../src/work/observe/commands/trace/system-calls.ts";

/** The page about the trace says what the code does. */

const page = readFileSync(new URL("../../../docs/reference/trace.md", import.meta.url), "utf8");
const section = (title: string) => page.split(/^## /m).find((text) => text.startsWith(title)) ?? "";
const rowsOf = (text: string) => text.split("\n").filter((line) => /^\| (?!-|meaning|reason|sockets)/.test(line));
const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

test("the page lists every call with a meaning", () => {
  const [meaning = ""] = section("Calls with a meaning").split("`ioctl` changes");
  expect(new Set(rowsOf(meaning).flatMap(namesIn))).toEqual(new Set([...UNDERSTOOD, ...Object.keys(BLINDING)]));
});

test("the page lists every harmless call, and no call is both", () => {
  const [, list = ""] = /```text\n([^`]+)```/.exec(section("Harmless calls")) ?? [];
  expect(list.trim().split(/\s+/)).toEqual(HARMLESS);
  expect([...UNDERSTOOD, ...Object.keys(BLINDING)].filter(isHarmless)).toEqual([]);
  expect(UNTRACED.filter((name) => !isHarmless(name))).toEqual([]);
});

test("the page lists every family of sockets that is understood", () => {
  const [, sockets = ""] = section("Calls with a meaning").split("| sockets");
  expect(rowsOf(sockets).map((row) => namesIn(row)[0])).toEqual(Object.keys(KNOWN_SOCKETS));
});

test("the page says what each gap hides", () => {
  const rows = rowsOf(section("Gaps")).map((row) => row.split("|").map((cell) => cell.trim()));
  const shown = rows.map(([, name = "", hides]) => [name.replaceAll("`", ""), hides]);
  expect(shown).toEqual(shown.map(([reason]) => [reason, hiddenBy(reason as TraceGapReason)]));
  const schema = JSON.stringify(JSON.parse(readFileSync(new URL("../../../schemas/log.json", import.meta.url), "utf8")));
  const [, reasons = ""] = /"enum":\[("unresolved-path"[^\]]*)\]/.exec(schema) ?? [];
  expect(new Set(shown.map(([reason]) => reason))).toEqual(new Set(JSON.parse(`[${reasons}]`)));
});

/** Which checks a gap makes unknown. */
function hiddenBy(reason: TraceGapReason): string {
  const effects = { writes: 0, sockets: 0, connections: 0, first: [], gaps: [{ reason, count: 1 }] };
  const body = { type: "commands-observed", available: true, sources: [], wrapped: [], observed: 0, categories: [], effects } as const;
  const seen = traced({ answer: null, constraints: [], commands: [], watched: { seq: 1, body } });
  const hides = (["files", "connections"] as const).filter((what) => seen?.gapFor(what) !== undefined);
  return hides.length === 2 ? "both" : hides[0] === "files" ? "files" : "contacts";
}
