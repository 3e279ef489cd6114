import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { agents } from "../../../pure/agents/index.ts";
import type { Evidence, Mount } from "../../../pure/isolation/index.ts";
import type { Agent, Task } from "../../../pure/pipeline/index.ts";
import { type Isolating, isolating, type Usual } from "../../isolation/index.ts";
import { insideProgram, installed } from "../../process/index.ts";
import { secretNames } from "../../secrets/index.ts";
import type { DecisionPlace } from "./decision-place.ts";
import type { RunOptions } from "./run-options.ts";
import type { EarlierRun } from "./run-plan.ts";
import type { PlannedOverlay } from "./settings-overlay.ts";

/** What a caller knows about the walls of a run. */
export interface WallPlan {
  /** Levels to try if none is asked for. Default: `process`. */
  readonly usual?: Usual;
  /** Why a better default does not fit this run. */
  readonly unfit?: NonNullable<Evidence["unavailable"]>;
  /** Directories outside the workspace that the agent must be able to write. */
  readonly writes?: readonly string[];
}

interface Planned {
  readonly agent: Agent;
  readonly task: Task;
  readonly binary: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Names of the variables that were set for this run. */
  readonly set: readonly string[];
  readonly data: string;
  readonly decisions: DecisionPlace | undefined;
  readonly overlay: PlannedOverlay | undefined;
  readonly earlier: EarlierRun | undefined;
}

/** The walls around a planned run, with everything inside that the run itself needs. */
export function planWalls(
  {
    isolate: asked,
    requireIsolation,
    network,
    modelUrl,
    wire,
    cwdFrom: workspaceFrom,
  }: Pick<RunOptions, "isolate" | "requireIsolation" | "network" | "modelUrl" | "wire" | "cwdFrom">,
  { usual = ["process"], unfit = [], writes = [] }: WallPlan,
  planned: Planned,
): Isolating {
  const { agent, task, binary, cwd, env, set, data, decisions, overlay, earlier } = planned;
  const servers = (task.mcp ?? []).flatMap((server) => ("command" in server ? [server] : []));
  const isOurs = agent.inside === true || decisions !== undefined;
  const paths = [...servers.flatMap(({ args }) => args), ...ownArguments(task), env["NODE_EXTRA_CA_CERTS"] ?? ""];
  const more: readonly Mount[] = [
    ...(isOurs ? [reads(dirname(dirname(insideProgram()))), reads(process.execPath)] : []),
    ...(decisions === undefined ? [] : [reads(decisions.folder)]),
    ...(overlay === undefined ? [] : [writable(overlay.home)]),
    ...(earlier !== undefined && agent.inside === true ? [reads(earlier.directory)] : []),
    ...writes.map(writable),
  ];
  const whole = [env["HOME"] ?? homedir(), data, cwd, tmpdir(), "/run", "/var/run"];
  const scripts = paths.filter((path) => isAbsolute(path) && existsSync(path) && !isTooMuch(path, whole));
  const commands = servers.flatMap(({ command }) => (isAbsolute(command) ? [command] : (installed([command], env["PATH"]) ?? [])));
  const programs = [binary, ...commands, ...scripts];
  const reach = { network, modelUrl };
  const surroundings = {
    agent,
    environment: env,
    given: set,
    foreign: foreignSecrets(agent, env, set),
    workspace: cwd,
    workspaceFrom,
    programs,
    more,
    hidden: [data],
    network: reach,
    isWired: wire === true,
  };
  const required = requireIsolation === undefined ? undefined : USUAL.find((level) => level === requireIsolation);
  if (required !== undefined) return isolating(asked, [required], surroundings);
  const fitting = isKnown(agent) ? usual : usual.filter((level) => level !== "files");
  return isolating(asked, fitting, surroundings, fitting.length === usual.length ? unfit : [...unfit, UNFIT]);
}

/** Whether it is known which files the agent needs. */
export function isKnown({ inside, origin, binaries }: Agent): boolean {
  return inside === true || (origin === undefined && binaries.length > 0);
}

/** The agent's own keys are those that it declares; of an agent that declares none, those that any agent does. A proxy may need its password. */
function foreignSecrets(agent: Agent, env: NodeJS.ProcessEnv, set: readonly string[]): readonly string[] {
  const keysOf = ({ credentials = [], providers = [] }: Agent) => [...credentials, ...providers.flatMap(({ keys }) => keys)];
  const declared = keysOf(agent);
  const own = new Set([...set, ...(declared.length > 0 ? declared : Object.values(agents).flatMap(keysOf))]);
  return secretNames(env, []).filter((name) => !own.has(name) && !/proxy$/i.test(name));
}

const USUAL: Usual = ["process", "files", "sealed"];

/** A user's own command may need any file of this machine. */
const UNFIT = {
  level: "files",
  why: "The command is your own, so the files it needs are not known. Ask for the level to use it.",
} as const;

/** The kernel's own files, and a directory with everything that the walls hide, are not what a program needs: `/` may be an argument. */
function isTooMuch(path: string, whole: readonly string[]): boolean {
  const root = resolve(path);
  return (
    /^\/(?:proc|dev|sys)(?:\/|$)/.test(root) || whole.some((each) => each === root || each.startsWith(root === "/" ? root : `${root}/`))
  );
}

/** The arguments that are the user's: a program's own script is one of them. The prompt is not. */
function ownArguments({ commandLine = "", extraArgs = [], prompt }: Task): readonly string[] {
  return [...commandLine.split(/\s+/), ...extraArgs].filter((each) => each !== prompt);
}

function reads(path: string): Mount {
  return { kind: "read", path };
}

function writable(path: string): Mount {
  return { kind: "write", path };
}
