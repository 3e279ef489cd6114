import { openSource } from "../../../host/files/index.ts";
import { beginningOf, type Explanation, explain, explainByAll, type UnknownKind } from "../../../host/recording/index.ts";
import { agents, anyCommand } from "../../../pure/agents/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { standardInput } from "../../terminal/index.ts";

/** The format of an output, and how much of it is understood. */
export interface OutputCheck {
  readonly lines: number;
  /** The agent whose format it is; null if no agent understands half of it. */
  readonly speaks: string | null;
  readonly share: number | null;
  readonly candidates: readonly Pick<Explanation, "agent" | "explained" | "share" | "events">[];
  /** What `speaks` could not read. */
  readonly unknown: readonly UnknownKind[];
}

/** Below this, a match is a coincidence: formats may share a line. */
const LEAST = 0.5;

/** Reads the output as `own`; without it, finds the agent that understands most, and prefers `likely` among equals. */
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

/** Reads a file, or standard input for `-`: enough to recognise a format. */
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
