import type { RunRow } from "../../pure/pipeline/index.ts";

/** A run as `runs list --json` prints it. `watch --json` adds its activity. */
export function listedRun(row: RunRow) {
  const { id, agent, status, sessionId, resumes, startedAt, durationMs, model, costUsd, partialCost, name, tags, prompt } = row;
  const started = startedAt === null ? null : new Date(startedAt).toISOString();
  return {
    id,
    agent,
    status,
    sessionId,
    resumes,
    started,
    durationMs,
    model,
    costUsd,
    ...(partialCost && { partialCost }),
    name,
    tags,
    prompt,
  };
}
