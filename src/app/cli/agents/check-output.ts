import { openSource } from "../../../host/files/index.ts";
import { beginningOf, type Explanation, explain, explainByAll, type UnknownKind } from "../../../host/recording/index.ts";
import { agents, anyCommand } from "../../../pure/agents/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { standardInput } from "../../terminal/index.ts";

/** What an output is, and how much of it would be understood. */
export interface OutputCheck {
  readonly lines: number;
  /** The agent whose format it is, or the one it was to be read as; null where none reads half of it. */
  readonly speaks: string | null;
  readonly share: number | null;
  readonly candidates: readonly Pick<Explanation, "agent" | "explained" | "share" | "events">[];
  /** Of what `speaks` could not read. */
  readonly unknown: readonly UnknownKind[];
}

/** Less is a coincidence: two formats may have a line in common. */
const LEAST = 0.5;

/** `own` is the agent it is said to be from; without one it is whoever reads most of it, and of several the `likely` one. */
export function checkOutput(output: Uint8Array, own?: Agent, likely: string | null = null): OutputCheck {
  const beginning = beginningOf(output);
  const { generic: _, ...formats } = agents;
  const others = Object.values<Agent>(formats)
    .filter(({ id }) => id !== own?.id)
    .sort((a, b) => Number(b.id === likely) - Number(a.id === likely));
  const all = explainByAll(own === undefined ? others : [own, ...others], beginning);
  const [first] = all;
  const best = own === undefined ? (first && (first.share ?? 0) >= LEAST ? first : undefined) : all.find(({ agent }) => agent === own.id);
  const shown = best ?? explain(anyCommand, beginning);
  const candidates = all.filter(({ explained }) => explained > 0).slice(0, 5);
  return {
    lines: shown.lines,
    speaks: best?.agent ?? null,
    share: shown.share,
    candidates: candidates.map(({ agent, explained, share, events }) => ({ agent, explained, share, events })),
    unknown: shown.unknown,
  };
}

/** A file, or standard input for `-`; as much as it takes to know a format by. */
export async function readOutput(name: string): Promise<Uint8Array> {
  const source = await openSource(name === "-" ? standardInput() : name);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const { bytes } of source.chunks()) {
    chunks.push(Uint8Array.from(bytes));
    size += bytes.length;
    if (size > MOST_BYTES) break;
  }
  return Buffer.concat(chunks);
}

const MOST_BYTES = 16 * 1024 * 1024;
