import { existsSync } from "node:fs";
import { stores } from "../../../pure/agents/index.ts";
import { bytes, clip, counted, HarnessError } from "../../../pure/base/index.ts";
import { type Imported, importSessions } from "../../../work/history/index.ts";
import { FAILED, inTerminal, printTable, say, setExitCode, writeJson } from "../../terminal/index.ts";

interface Flags {
  readonly since?: number;
  readonly project?: string;
  readonly secret: readonly string[];
  readonly dryRun?: true;
  readonly json?: true;
}

const LONGEST_TASK = 60;

/** Sessions are printed as they are imported; a summary for people follows on stderr. */
export async function importHistory(names: readonly string[], { since, project, secret, dryRun, json }: Flags): Promise<void> {
  const { agents, paths } = sorted(names);
  const readable = inTerminal() && json !== true;
  const counts = new Map<Imported["state"], number>();
  const shown: Imported[] = [];
  const options = {
    ...(agents.length > 0 && { agents }),
    ...(paths.length > 0 && { paths }),
    ...(since !== undefined && { since }),
    ...(project !== undefined && { project }),
    dryRun: dryRun === true,
    secrets: secret,
  };
  for await (const session of importSessions(options)) {
    counts.set(session.state, (counts.get(session.state) ?? 0) + 1);
    if (!readable) await writeJson([session]);
    else if (session.state !== "unchanged") shown.push(session);
  }
  if (shown.length > 0)
    await printTable(
      shown.map((session) => row(session, dryRun === true)),
      { optional: ["size", "project"], clipped: true },
    );
  say(summary(counts, dryRun === true, paths));
  if (counts.has("failed")) setExitCode(FAILED);
}

/** A name is an agent, or a path that exists. */
function sorted(names: readonly string[]): { readonly agents: string[]; readonly paths: string[] } {
  const isAgent = (name: string) => stores.some(({ agent }) => agent.id === name || agent.aliases?.includes(name) === true);
  const agents = names.filter(isAgent);
  const paths = names.filter((name) => !isAgent(name));
  const missing = paths.find((path) => !existsSync(path));
  if (missing === undefined) return { agents, paths };
  const known = stores.map(({ agent }) => agent.id).join(", ");
  const what = /[/.~]/.test(missing)
    ? `Not found: ${missing}.`
    : `${missing} is neither an agent with a store that can be read (${known}) nor a path.`;
  throw new HarnessError("usage", what);
}

/** A dry run makes no runs: the sessions are named instead. */
function row(
  { agent, state, run, session, project, prompt, bytes: size, reason }: Imported,
  isDry: boolean,
): Record<string, string | null> {
  return {
    agent,
    state,
    ...(isDry ? { session } : { run: run ?? session }),
    size: bytes(size),
    project,
    task: clip(reason ?? prompt ?? "", LONGEST_TASK),
  };
}

function summary(counts: ReadonlyMap<Imported["state"], number>, isDry: boolean, paths: readonly string[]): string {
  const total = [...counts].reduce((sum, [state, count]) => (state === "unsupported" ? sum : sum + count), 0);
  if (counts.size === 0) return `no sessions found${paths.length === 0 ? "" : ` in ${paths.join(", ")}`}`;
  const parts = [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
  return `${counted(total, "session")}: ${parts}${isDry ? "" : "; see them with harness runs --tag imported, or harness view"}`;
}
