import { HarnessError } from "../../pure/base/index.ts";

/** One of several parts of an evaluation, counted from 1. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

/** The cases of one part. The parts are disjoint, together they are all cases, and they differ by at most one case in size. */
export function partOf<Case>(cases: readonly Case[], shard: Shard | undefined): readonly Case[] {
  if (shard === undefined) return cases;
  const { part, of } = shard;
  if (!Number.isSafeInteger(part) || !Number.isSafeInteger(of) || part < 1 || part > of)
    throw new HarnessError("usage", `\`shard\` takes a part from 1 to ${of}. Found ${part}.`, { option: "shard" });
  return cases.filter((_, index) => index % of === part - 1);
}
