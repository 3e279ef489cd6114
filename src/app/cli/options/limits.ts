import { HarnessError } from "../../../pure/base/index.ts";
import type { Limits } from "../../../work/evaluate/index.ts";

/** `8`, `claude=4,codex=8` or `6,claude=2`. Without a number for all agents, the sum is the total. */
export function parseLimits(text: string): Limits {
  const perAgent = new Map<string, number>();
  let total: number | undefined;
  for (const part of text.split(",")) {
    const match = /^(?:([^=\s]+)=)?([1-9]\d{0,3})$/.exec(part.trim());
    if (match === null)
      throw new HarnessError(
        "usage",
        `Invalid value for -j: ${JSON.stringify(text)}. Pass a number, or a number per agent such as claude=4,codex=8.`,
      );
    const [, agent, count] = match;
    if (agent === undefined) total = Number(count);
    else perAgent.set(agent, Number(count));
  }
  return { total: total ?? [...perAgent.values()].reduce((sum, count) => sum + count, 0), perAgent: Object.fromEntries(perAgent) };
}
