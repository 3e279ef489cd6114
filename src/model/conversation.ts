/** A tool that the request lets the model call. */
export interface OfferedTool {
  readonly name: string;
  /** Where its dialect groups tools. */
  readonly namespace?: string;
  /** Its input is plain text, not JSON. */
  readonly isFreeform?: boolean;
}

/** One thing that has been said so far. What the model is told beside the conversation (system, developer) is not part of it. */
export type Said = { readonly by: "user" | "tool"; readonly text: string } | { readonly by: "assistant" };

/** A request for the model's next turn, whatever its dialect. */
export interface Conversation {
  readonly model: string;
  readonly isStream: boolean;
  readonly tools: readonly OfferedTool[];
  readonly said: readonly Said[];
}

/** What stands in `[[…]]`, in order. */
export function markersIn(text: string): readonly string[] {
  return [...text.matchAll(/\[\[([A-Za-z0-9][A-Za-z0-9._/-]*)\]\]/g)].map((match) => match[1] ?? "");
}

/** Turns of the model from `start` on. One turn may be several items (reasoning, text, calls); something else stands between two. */
export function turnsSince(said: readonly Said[], start: number): number {
  let turns = 0;
  for (let i = start; i < said.length; i++) if (said[i]?.by === "assistant" && said[i - 1]?.by !== "assistant") turns++;
  return turns;
}

/** The last value of a field, such as `agent_id`, in what tools have answered. */
export function fieldInResults(said: readonly Said[], name: string): string | undefined {
  const pattern = new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]+)"`, "g");
  for (const each of said.toReversed()) {
    const found = each.by === "tool" ? [...each.text.matchAll(pattern)].at(-1)?.[1] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
