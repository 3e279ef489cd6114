import { decode } from "../../../src/host/recording/derive/decode.ts";
import { explain } from "../../../src/host/recording/derive/explain.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { betterAgent, recognize } from "../../../src/pure/agents/recognize.ts";
import type { Agent } from "../../../src/pure/pipeline/agent.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import type { View } from "../../../src/pure/pipeline/view.ts";
import { views } from "../../../src/pure/views/views.ts";
import { EPOCH, linesOf, loadFixtures } from "../../support/fixtures.ts";
import { bytesOf, type Parser } from "./parser.ts";

const LONGEST_PART = 4000;
const MOST_PARTS = 600;

/** Every agent's output, on stdout and on stderr, through each view. */
export function agentParsers(root: string): readonly Parser[] {
  const each = Object.values<Agent>(agents).map((agent): Parser => {
    return {
      name: `agents/${agent.id}`,
      form: "lines",
      reads: [`src/pure/agents/${folderOf(agent.id)}/`, "src/pure/pipeline/"],
      valid: () =>
        partsOf(
          fixturesIn(root).flatMap(({ agent: { id }, raw, stderr }) =>
            id === agent.id || (agent.id.endsWith("-acp") && id === "acp") ? [raw, stderr] : [],
          ),
        ),
      read: (input) => derived(agent, input),
    };
  });
  return [
    ...each,
    {
      name: "recognize",
      form: "lines",
      reads: ["src/pure/agents/recognize.ts", "src/host/recording/derive/explain.ts"],
      valid: () => partsOf(fixturesIn(root).flatMap(({ raw }, i) => (i % 7 === 0 ? [raw] : []))),
      read(input) {
        const lines = input.split("\n");
        recognize(lines);
        betterAgent(agents.generic, lines);
        const all = Object.values<Agent>(agents);
        explain(all[input.length % all.length] ?? agents.generic, bytesOf(input));
      },
    },
  ];
}

const ALL_VIEWS = Object.values<View<object>>(views);

let fixtures: ReturnType<typeof loadFixtures> | undefined;

export function fixturesIn(root: string): ReturnType<typeof loadFixtures> {
  fixtures ??= loadFixtures(`${root}/fixtures`);
  return fixtures;
}

/** The agents behind the protocol share a folder, and so do our own two. */
function folderOf(id: string): string {
  return id.endsWith("-acp") ? "acp" : id === "rlm" ? "native" : id;
}

export function derive(agent: Agent, input: string): void {
  for (const _ of derived(agent, input));
}

/** The recorder reads what an agent has printed piece by piece. */
const PIECE = 64 * 1024;

function* derived(agent: Agent, input: string): Generator<void, void, void> {
  const view = ALL_VIEWS[input.length % ALL_VIEWS.length];
  if (view === undefined) return;
  const run = pipeline(agent, view, { startedAt: EPOCH }, decode, { reasoning: true });
  const bytes = bytesOf(input);
  for (const stream of input.length % 5 === 0 ? (["stdout", "stderr"] as const) : (["stdout"] as const))
    for (let at = 0; at < bytes.length; at += PIECE) {
      for (const record of run.bytes(stream, bytes.subarray(at, at + PIECE), EPOCH)) JSON.stringify(record);
      yield;
    }
  if (input.length % 3 === 0)
    for (const record of run.exit({ type: "exit", at: EPOCH + 2, exitCode: 1, signal: null, durationMs: 2 })) JSON.stringify(record);
  for (const record of run.end(EPOCH + 2)) JSON.stringify(record);
}

/** One to five successive lines each, spread over all recordings. */
export function partsOf(recordings: readonly Buffer[]): readonly string[] {
  const parts = recordings.flatMap((raw) => {
    const lines = linesOf(raw).map((line) => line.toString("latin1"));
    return lines.flatMap((line, i) => {
      const part = lines.slice(i, i + 1 + (i % 5)).join("");
      return part.length <= LONGEST_PART ? [part] : line.length <= LONGEST_PART ? [line] : [];
    });
  });
  const step = Math.max(1, Math.floor(parts.length / MOST_PARTS));
  const some = parts.filter((_, i) => i % step === 0);
  return some.length === 0 ? ['{"type":"text","text":"plain"}\nplain text\n'] : some;
}
