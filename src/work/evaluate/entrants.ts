import { resolve } from "node:path";
import { probeVersion } from "../../host/process/index.ts";
import { planRun } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { TRAJECTORY_VERSION } from "../../pure/views/index.ts";
import {
  type AgentEntry,
  agentIn,
  type Configuration,
  type Entrant,
  type GraderSpec,
  hashOf,
  type LocalCode,
  nameOfAgent,
  runOptionsOf,
  settingsOf,
} from "./trial/index.ts";

/** An agent of an evaluation. */
export interface EntrantEntry extends AgentEntry {
  /** Its name in the results, for an agent that takes part more than once. Default: its id. */
  readonly label?: string;
}

export interface EntrantsOptions {
  /** Who is asked: ids, files of agents of your own, or agents with their settings. */
  readonly agents: readonly (string | EntrantEntry)[];
  /** Ends a run after that long; a case may have its own limit. */
  readonly timeoutMs?: number;
  /** What cases begin with that name none: a directory, relative to the data set, or `git url@ref`. Every trial gets a copy. */
  readonly workspace?: string;
  /** The same, relative to the current directory. */
  readonly cwd?: string;
  /** `private`, the default: a home of its own with the agent's credentials. `inherit`: the user's. */
  readonly home?: "private" | "inherit";
}

/** An entrant that was found to be one: its program is there, and its options are right. */
export interface CheckedEntrant {
  readonly entrant: Entrant;
  readonly details: Configuration;
  readonly title: string;
  /** It can continue a session, as a case of several turns asks for. */
  readonly resumes: boolean;
}

/** Rejects a missing program or a wrong option before anything runs. */
export async function entrantsOf(options: EntrantsOptions, grader: GraderSpec | undefined, code: LocalCode): Promise<CheckedEntrant[]> {
  const checked: CheckedEntrant[] = [];
  for (const entry of options.agents)
    checked.push(await entrantOf(typeof entry === "string" ? { agent: entry } : entry, options, grader, code));
  const labels = checked.map(({ entrant }) => entrant.label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) throw new HarnessError("usage", `Two agents would be called ${twice} in the results; give each a \`label\`.`);
  if (labels.length === 0) throw new HarnessError("usage", "Name at least one agent in `agents`.");
  return checked;
}

async function entrantOf(
  { label, ...entry }: EntrantEntry,
  { timeoutMs, workspace, cwd, home = "private" }: EntrantsOptions,
  grader: GraderSpec | undefined,
  code: LocalCode,
): Promise<CheckedEntrant> {
  const agent = await agentIn(code, nameOfAgent(entry.agent, code));
  const settings = settingsOf(entry);
  const { binary } = settings;
  const plan = planRun({ ...runOptionsOf(settings), agent, prompt: "?" });
  // A command of the user's own may not know the question, and do its work instead.
  const version = agent.binaries.length === 0 ? null : (await probeVersion(plan.binary, process.env)).version;
  const details: Configuration = {
    agent: agent.id,
    agentVersion: version,
    binary: plan.binary,
    model: settings.model ?? null,
    permissions: plan.permissions,
    args: settings.extraArgs ?? [],
    command: settings.command ?? null,
    like: settings.like ?? null,
    environment: hashOf(Object.entries(settings.env ?? {})),
    rules: { allow: settings.allow ?? [], deny: settings.deny ?? [] },
    mcp: (settings.mcp ?? []).map((server) => server.name),
    timeoutMs: timeoutMs ?? null,
    workspace: workspace ?? cwd ?? null,
    home,
    grader: grader?.graders.join("\n") ?? null,
    trajectory: TRAJECTORY_VERSION,
  };
  const entrant: Entrant = {
    label: label ?? agent.id,
    agent: nameOfAgent(agent, code),
    settings: binary?.includes("/") ? { ...settings, binary: resolve(binary) } : settings,
    configuration: hashOf(details),
  };
  return { entrant, details, title: agent.title, resumes: plan.resumes };
}
