import { existsSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { checkIsolation } from "../../host/isolation/index.ts";
import { probeVersion } from "../../host/process/index.ts";
import { planRun } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import { TRAJECTORY_VERSION } from "../../pure/views/index.ts";
import { agentProblems, type Candidate, needsGit } from "./preflight.ts";
import {
  type AgentEntry,
  type AgentSettings,
  agentIn,
  type Configuration,
  type Entrant,
  type GraderSpec,
  hashOf,
  type LocalCode,
  nameOfAgent,
  plain,
  runOptionsOf,
  settingsOf,
  type WorkspaceLayer,
} from "./trial/index.ts";

/** An agent of an evaluation. */
export interface EntrantEntry extends AgentEntry {
  /** Its name in the results, for an agent that takes part more than once. Default: its id. */
  readonly label?: string;
  /** Directories with a `SKILL.md`, laid where the agent looks for skills. */
  readonly skills?: readonly string[];
  /** Files and directories laid over every workspace, by their path in it; `.` is the workspace itself. */
  readonly files?: Readonly<Record<string, string>>;
  /** Left out of every workspace: `file:<path>` or `skill:<name>`, also if `files` or `skills` would add it. */
  readonly without?: readonly string[];
}

export interface EntrantsOptions {
  /** The agents: ids, files with your own agents, or agents with settings. */
  readonly agents: readonly (string | EntrantEntry)[];
  /** The evaluation file that these options come from: it, and all it refers to, are hashed into every result. */
  readonly file?: string;
  /** Stops a run after this time. A case may set its own limit. */
  readonly timeoutMs?: number;
  /** The workspace of cases that name none: a directory, relative to the data set, or a repository, `url@ref` or `path@ref`. Every trial gets a copy. */
  readonly workspace?: string;
  /** The same, relative to the current directory. */
  readonly cwd?: string;
  /** `private`, the default: a separate home with the agent's credentials. `inherit`: the user's home. */
  readonly home?: "private" | "inherit";
}

/** An entrant that passed the checks: its program exists, and its options are valid. */
export interface CheckedEntrant {
  readonly entrant: Entrant;
  readonly details: Configuration;
  readonly title: string;
  /** It can resume a session, which a case of several turns needs. */
  readonly resumes: boolean;
  /** Why it would fail every trial. */
  readonly problems: readonly string[];
  /** The files and directories that the side adds to its workspaces. */
  readonly sources: readonly string[];
  /** It refuses a workspace that is not a git repository. */
  readonly needsGit: boolean;
}

/** Rejects a missing program or a wrong option before anything runs. */
export async function entrantsOf(options: EntrantsOptions, grader: GraderSpec | undefined, code: LocalCode): Promise<CheckedEntrant[]> {
  const checked: CheckedEntrant[] = [];
  const missing: HarnessError[] = [];
  for (const entry of options.agents) {
    try {
      checked.push(await entrantOf(typeof entry === "string" ? { agent: entry } : entry, options, grader, code));
    } catch (error) {
      if (!(error instanceof HarnessError) || error.code !== "start") throw error;
      missing.push(error);
    }
  }
  const [first, ...others] = missing;
  if (first !== undefined && others.length === 0) throw first;
  if (first !== undefined) throw new HarnessError("start", missing.map(({ message }) => message).join(" "), { option: first.option });
  const labels = checked.map(({ entrant }) => entrant.label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined)
    throw new HarnessError("usage", `Two agents would have the name ${twice} in the results. Give each a \`label\`.`);
  if (labels.length === 0) throw new HarnessError("usage", "Name at least one agent in `agents`.");
  return checked;
}

const UNPROBED = { version: null, isBroken: false, problem: null };

async function entrantOf(
  { label, skills = [], files = {}, without = [], ...entry }: EntrantEntry,
  { timeoutMs, workspace, cwd, home = "private", file }: EntrantsOptions,
  grader: GraderSpec | undefined,
  code: LocalCode,
): Promise<CheckedEntrant> {
  const agent = await agentIn(code, nameOfAgent(entry.agent, code));
  const settings = settingsOf(entry, code);
  const { binary } = settings;
  const plan = planRun({ ...runOptionsOf(settings, code), agent, prompt: "?" });
  const { isolate, requireIsolation } = settings;
  checkIsolation(isolate, requireIsolation, plan.env["PATH"]);
  // A user's own command may not know --version and start working instead. A program without a path is in a container's image.
  const isProbed = agent.binaries.length > 0 && isAbsolute(plan.binary);
  const { version, isBroken, problem } = isProbed ? await probeVersion(plan.binary, process.env) : UNPROBED;
  const candidate: Candidate = {
    agent,
    plan,
    asked: settings.permissions,
    home,
    problem: isBroken ? problem : null,
    isRoot: process.getuid?.() === 0,
  };
  const layers = layersOf(agent, { skills, files, without });
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
    ...given("isolate", isolate),
    ...given("enforce", settings.enforce),
    ...given("limits", limitsIn(settings, grader)),
    ...given("judge", grader?.judge),
    ...given("effort", settings.effort),
    ...given("systemPrompt", settings.systemPrompt ?? settings.appendSystemPrompt),
    ...given("servers", settings.mcp?.length ? hashOf(settings.mcp) : undefined),
    ...given("layers", layers.length > 0 ? layers.map(layerText) : undefined),
  };
  const entrant: Entrant = {
    label: label ?? agent.id,
    agent: nameOfAgent(agent, code),
    settings: binary?.includes("/") ? { ...settings, binary: resolve(binary) } : settings,
    ...(layers.length > 0 && { layers }),
    version,
    configuration: hashOf(details),
  };
  const problems = [...agentProblems(candidate), ...(file === undefined ? [] : ignoredProblems(agent, plan.ignored, label ?? agent.id))];
  const sources = layers.flatMap((each) => ("from" in each ? [each.from] : []));
  return { entrant, details, title: agent.title, resumes: plan.resumes, problems, sources, needsGit: needsGit(candidate) };
}

/** A side that differs from another only in what its agent ignores would be compared with itself. */
function ignoredProblems(agent: Agent, ignored: readonly string[], label: string): readonly string[] {
  return ignored
    .filter((option) => SIDE_OPTIONS.has(option))
    .map((option) => `${agent.title} has no option for \`${option}\`, so ${label} would run without it. Remove it.`);
}

const SIDE_OPTIONS = new Set(["effort", "systemPrompt", "appendSystemPrompt", "mcp"]);

/** Skills first, then files, then what is left out. Throws if something is not there. */
function layersOf(
  agent: Agent,
  { skills, files, without }: Required<Pick<EntrantEntry, "skills" | "files" | "without">>,
): readonly WorkspaceLayer[] {
  const folder = agent.skillFolder;
  const named = without.filter((each) => each.startsWith("skill:"));
  if (folder === undefined && skills.length + named.length > 0)
    throw new HarnessError(
      "usage",
      `harness does not know where ${agent.title} looks for skills. Lay them over the workspace with \`files\`.`,
      { option: "skills" },
    );
  for (const skill of skills)
    if (!existsSync(join(skill, "SKILL.md")))
      throw new HarnessError("usage", `Skill not found: ${skill} has no SKILL.md.`, { option: "skills" });
  for (const from of Object.values(files))
    if (statSync(from, { throwIfNoEntry: false }) === undefined)
      throw new HarnessError("usage", `File to lay over the workspace not found: ${from}.`, { option: "files" });
  const removed = without.map((each) => {
    const [, kind, name = ""] = /^(file|skill):(.+)$/s.exec(each) ?? [];
    if (kind === undefined)
      throw new HarnessError("usage", `\`without\` takes skill:<name> or file:<path>. Found ${JSON.stringify(each)}.`, {
        option: "without",
      });
    return { remove: kind === "skill" ? `${folder}/${name}` : name };
  });
  return [
    ...skills.map((from) => ({ path: `${folder}/${basename(from)}`, from })),
    ...Object.entries(files).map(([path, from]) => ({ path, from })),
    ...removed,
  ];
}

function layerText(layer: WorkspaceLayer): string {
  return "remove" in layer ? `without ${layer.remove}` : layer.path;
}

/** The limits in addition to the time limit of a run: they decide how a case ends, too. */
function limitsIn(
  { idleTimeoutMs, maxTurns, maxBudgetUsd, resourceLimits }: AgentSettings,
  grader: GraderSpec | undefined,
): Configuration["limits"] {
  const limits = plain({ idleTimeoutMs, maxTurns, maxBudgetUsd, ...resourceLimits, graderTimeoutMs: grader?.timeoutMs });
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** Absent if it was not given, so that configurations of earlier versions keep their hash. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
