import { basename, dirname, join } from "node:path";
import { knownAgent } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { noTokens, type SessionUsage, sumOfTokens } from "../../../pure/events/index.ts";
import type { Permissions } from "../../../pure/pipeline/index.ts";
import { graph } from "../../../pure/views/index.ts";
import { deriveRun } from "../derive/index.ts";
import { dataDirectoryAt, type RunManifest, readManifest, runIds, runPaths } from "../format/index.ts";
import { type OpenedRun, openRun } from "./open-run.ts";
import type { EarlierRun } from "./run-plan.ts";

/** The agent printed the id: it must not be able to become an option or a path. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/;

const LEVELS: readonly string[] = ["full", "default", "read-only"] satisfies Permissions[];

/** Reads the run to resume, from its end or a node of its graph; completes it first if its recorder died. Throws if that is impossible. */
export async function earlierRun(directory: string, at?: string): Promise<EarlierRun> {
  const manifest = finished(await openRun(directory));
  const { id, agent, cwd, model, permissions, sealed } = manifest;
  const sessionId = sealed?.sessionId;
  if (sessionId == null)
    throw new HarnessError(
      "input",
      `The run ${id} cannot be resumed: its agent (${agent}) did not report a session id. Start a new run instead.`,
    );
  if (!SAFE_ID.test(sessionId))
    throw new HarnessError("input", `The run ${id} cannot be resumed: the session id that its agent printed is not valid.`);
  if (at !== undefined) await checkNode(manifest, directory, at);
  const last = await lastOfSession(directory, agent, sessionId);
  const level = LEVELS.includes(permissions) ? (permissions as Permissions) : "default";
  return { id, directory, agent, cwd, model, permissions: level, sessionId, used: usedBy(last) };
}

/** Rejects a node that is not in the graph before anything starts. Only our own agents can resume at a node. */
async function checkNode(manifest: RunManifest, directory: string, at: string): Promise<void> {
  const agent = knownAgent(manifest.agent);
  if (agent?.inside !== true) return;
  for await (const batch of deriveRun(manifest, directory, agent, graph)) {
    if (batch.some(({ nodes }) => nodes.some(({ id }) => id === at))) return;
  }
  throw new HarnessError("usage", `The graph of the run ${manifest.id} has no node ${JSON.stringify(at)}.`, { option: "resumeAt" });
}

function finished({ manifest, owner, notice }: OpenedRun): RunManifest {
  if (owner !== undefined)
    throw new HarnessError("locked", `The run ${manifest.id} is still running, in process ${owner.pid}. Resume it when it has ended.`);
  if (manifest.sealed === undefined) throw new HarnessError("input", `${notice} It cannot be resumed.`);
  return manifest;
}

/** The last run of the session, which may have been resumed since. A session has one end; two runs must not continue it in parallel. */
async function lastOfSession(directory: string, agent: string, sessionId: string): Promise<RunManifest> {
  const ids = runIds(dataDirectoryAt(dirname(dirname(directory))));
  for (const id of ids.slice(0, Math.max(0, ids.indexOf(basename(directory))))) {
    const later = join(dirname(directory), id);
    const known = described(later);
    if (known?.agent !== agent || (known.sealed?.sessionId ?? known.session?.name) !== sessionId) continue;
    return known.sealed === undefined ? finished(await openRun(later)) : known;
  }
  return readManifest(runPaths(directory).manifest);
}

function described(directory: string): RunManifest | undefined {
  try {
    return readManifest(runPaths(directory).manifest);
  } catch {
    return undefined; // damaged, or being deleted
  }
}

/** The usage of this run and of those before it, as the agent counts its session: what it leaves out now, it leaves out later too. */
function usedBy({ sealed, session }: RunManifest): SessionUsage {
  const { partialUsage, partialCost } = sealed ?? {};
  const isCounted = partialUsage?.complete === true && partialUsage.covers !== "last-step";
  const own = {
    tokens: isCounted ? partialUsage.tokens : (sealed?.usage ?? noTokens),
    costUsd: partialCost?.complete === true ? partialCost.costUsd : (sealed?.costUsd ?? null),
  };
  const before = session?.used;
  if (before === undefined) return own;
  const costUsd = own.costUsd === null || before.costUsd === null ? null : own.costUsd + before.costUsd;
  return { tokens: sumOfTokens(own.tokens, before.tokens), costUsd };
}
