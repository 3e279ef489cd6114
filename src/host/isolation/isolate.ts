import { mkdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { type Evidence, flawsOf, type Isolation, isAtLeast, type Mount, type Walls } from "../../pure/isolation/index.ts";
import type { Launch, Launched, Launcher } from "../process/index.ts";
import type { Connection, NetworkOptions, RoutedAgent, SealedNetwork, Wiring } from "../proxy/index.ts";
import { boxBuilder } from "./box.ts";
import { type Builder, bubblewrapBuilder } from "./builder.ts";
import { isBelow, isSystem } from "./mounts.ts";
import { makePlace, removePlace } from "./place.ts";
import { type HomeAgent, privateHome } from "./private-home.ts";
import { probeWalls } from "./probe.ts";
import { seatbeltBuilder } from "./seatbelt-builder.ts";

export type Start = Omit<Launch, "cookie" | "stdio">;

/** What the walls are built around. */
export interface Surroundings {
  readonly agent: HomeAgent & RoutedAgent;
  /** The agent's environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** The names of variables that were set for this run alone: a directory that they name is already private. */
  readonly given: readonly string[];
  /** The names of variables with secrets that are not this agent's: from the level `files` on, it does not get them. */
  readonly foreign?: readonly string[];
  readonly workspace: string;
  /** The directory that is seen at that path, if it is a different one. It needs the level `files`. */
  readonly workspaceFrom?: string | undefined;
  /** Programs besides the agent's own. */
  readonly programs?: readonly string[];
  /** Files and directories that the run needs besides its workspace. */
  readonly more?: readonly Mount[];
  /** Hidden even if they lie in the workspace. */
  readonly hidden?: readonly string[];
  /** What a sealed run may reach. */
  readonly network?: NetworkOptions;
  /** Its requests to its model are recorded. */
  readonly isWired?: boolean;
}

/** Starts programs inside walls. */
export interface Isolated {
  readonly launcher: Launcher;
  /** Tries the walls from inside. Throws if they do not hold. */
  verify(program: Start): Promise<Evidence>;
  /** Call it when nothing runs inside any more. Returns what a reader of the run should know. */
  close(): readonly string[];
}

/** The directory inside with the sockets that lead out of a sealed run. */
const SOCKETS = "/run/harness";

/** Directories that can be private to a run. */
const DIRECTORIES = ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];

/** Throws a sentence with the remedy if this machine cannot do it. Creates a private directory, which `close` removes. */
export function isolate(isolation: Isolation & { readonly level: Walls["level"] }, around: Surroundings): Isolated {
  const { level } = isolation;
  const { agent, environment, given } = around;
  let place = "";
  const builder = builderFor(isolation, environment["PATH"] ?? process.env["PATH"], () => place);
  const isFiles = isAtLeast(level, "files");
  const isSealed = isAtLeast(level, "sealed");
  const isRoot = process.getuid?.() === 0;
  const home = environment["HOME"] ?? homedir();
  const { workspace: shown, workspaceFrom } = around;
  const workspaces = workspaceFrom === undefined ? [...new Set([shown, realpathSync(shown)])] : [shown];
  const isShowing = isFiles && (process.platform !== "darwin" || level === "container");
  if (workspaceFrom !== undefined) checkShown(shown, isShowing, [home, around.environment["TMPDIR"] ?? tmpdir()]);
  for (const workspace of isFiles ? workspaces : []) checkWorkspace(workspace, home, given);
  const own = new Set(
    DIRECTORIES.concat(Object.keys(agent.needs?.moved ?? {})).filter((name) => given.includes(name) && isOwn(name, environment)),
  );
  place = makePlace();
  const tmp = join(place, "tmp");
  const privately = furnished(() => {
    mkdirSync(tmp, { mode: 0o700 });
    return isFiles && !own.has("HOME") ? privateHome(agent, home, environment, place) : undefined;
  }, place);
  const [variable, value] = agent.needs?.user?.unless ?? [];
  const { sandbox } = agent.needs ?? {};
  const told = isFiles && sandbox !== undefined && (isRoot || sandbox.nests !== true) ? sandbox : {};
  const added = {
    ...(own.has("TMPDIR") ? {} : { TMPDIR: isFiles ? "/tmp" : tmp }),
    ...(isFiles && variable !== undefined && environment[variable] === undefined && { [variable]: value }),
    ...told.env,
  };

  function mountsFor({ binary }: Start, way: readonly Mount[] = []): readonly Mount[] {
    const instead: readonly Mount[] = [{ kind: "write", path: "/tmp", from: tmp }, ...(privately?.mounts ?? [])];
    const given = [...own].map((name): Mount => ({ kind: "write", path: environment[name] ?? "" }));
    const programs = [binary, process.execPath, ...(around.programs ?? [])];
    const more = [...given, ...(around.more ?? []), ...way];
    return builder.mounts({ workspaces, workspaceFrom, programs, instead, more, hidden: around.hidden ?? [] });
  }

  function start(program: Launch): Promise<Launched> {
    return builder.launch({ ...program, env: { ...program.env, ...added } }, mountsFor(program));
  }

  /** The way out ends when nothing is left inside. */
  async function startSealed(program: Launch, network: SealedNetwork): Promise<Launched> {
    try {
      const bridge = (command: readonly string[]) => network.wrap(command, SOCKETS, builder.node);
      const running = await builder.launch({ ...program, env: { ...network.env, ...added } }, mountsFor(program, wayOut(network)), bridge);
      let left: Promise<number | null> | undefined;
      const finish = async () => {
        const count = await running.finish();
        await network.close();
        return count;
      };
      return { ...running, finish: () => (left ??= finish()) };
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  async function networkOf({ env }: Start, record: (connection: Connection) => void, wire?: Wiring): Promise<SealedNetwork> {
    const { sealNetwork } = await import("../proxy/index.ts");
    return sealNetwork(around.network ?? {}, agent, env, record, wire);
  }

  const withheld = isFiles ? (around.foreign ?? []) : [];
  const without = <Program extends Start>(program: Program): Program => {
    const env = Object.entries(program.env).filter(([name]) => !withheld.includes(name));
    return { ...program, env: Object.fromEntries(env) };
  };

  const launcher: Launcher = {
    id: builder.tool.tool,
    async launch({ args, ...rest }) {
      const program = without({ ...rest, args: [...(told.args ?? []), ...args] });
      if (!isSealed) return start(program);
      const network = await networkOf(program, (connection) => program.report?.({ type: "connection", ...connection }), program.wire);
      return startSealed({ ...program, args: [...network.args, ...program.args] }, network);
    },
  };

  /** What the probe finds, and what the evidence says about the network. */
  async function tried(program: Start): Promise<Pick<Evidence, "network" | "held" | "found">> {
    const { cwd, env } = program;
    const probed = (way: readonly Mount[], variables: NodeJS.ProcessEnv) => (command: readonly string[]) =>
      builder.probe(command, { cwd, env: { ...variables, ...added } }, mountsFor(program, way));
    if (!isSealed) return { network: "open", found: await probeWalls(probed([], env), cwd) };
    const network = await networkOf(without(program), () => {});
    try {
      const inside = probed(wayOut(network), network.env);
      const found = await probeWalls(inside, cwd, builder.node ?? process.execPath);
      const policy = around.network?.network ?? "model";
      return { network: policy === "none" ? policy : `proxy:${policy}`, ...(network.held.length > 0 && { held: network.held }), found };
    } finally {
      await network.close();
    }
  }

  return {
    launcher,
    async verify(program) {
      const evidence: Evidence = {
        level,
        ...builder.tool,
        ...(await tried(program)),
        ...(withheld.length > 0 && { withheld }),
        mounts: mountsFor(program),
        verified: true,
        place,
      };
      const flaws = flawsOf(evidence);
      if (flaws.length === 0) return evidence;
      throw new HarnessError("start", `The walls of the level ${level} do not hold: ${flaws.join(", ")}. Choose a different level.`, {
        option: "isolate",
      });
    },
    close() {
      const kept = privately?.close() ?? [];
      removePlace(place);
      return kept.map((file) => `The agent refreshed its login, but ${file} has changed meanwhile and was left alone.`);
    },
  };
}

function wayOut({ folder }: SealedNetwork): readonly Mount[] {
  return folder === undefined ? [] : [{ kind: "read", path: SOCKETS, from: folder }];
}

/** Leaves nothing behind if it fails. */
function furnished<Result>(furnish: () => Result, place: string): Result {
  try {
    return furnish();
  } catch (error) {
    removePlace(place);
    throw error;
  }
}

function builderFor(
  { level, image }: Isolation & { readonly level: Walls["level"] },
  path: string | undefined,
  place: () => string,
): Builder {
  if (level === "container") return boxBuilder(image ?? "", path, place);
  return process.platform === "darwin" ? seatbeltBuilder(level) : bubblewrapBuilder(level, path, place);
}

function isOwn(name: string, environment: NodeJS.ProcessEnv): boolean {
  const value = environment[name];
  return value?.startsWith("/") === true && value !== process.env[name] && !(name === "HOME" && value === homedir());
}

/** The path may come from a recording: it must not cover programs, or the directories that programs read. */
function checkShown(path: string, isShowing: boolean, directories: readonly string[]): void {
  const covers = (each: string) => each === path || isBelow(each, path);
  const isFree =
    !isSystem(path) &&
    !["/dev", "/proc", "/run", "/sys", "/usr", "/etc", ...directories].some(covers) &&
    !/^\/(?:dev|proc|run|sys)\//.test(path);
  if (isShowing && isFree) return;
  throw new HarnessError(
    "usage",
    isShowing
      ? `A workspace cannot be shown at ${path}: programs need what is there.`
      : "Only the levels files, sealed and container can show a workspace at a different path, and only on Linux.",
    { option: "cwd" },
  );
}

/** A workspace that contains the home would show everything that the level hides. */
function checkWorkspace(workspace: string, home: string, given: readonly string[]): void {
  if (given.includes("HOME") && home !== homedir()) return;
  if (workspace !== "/" && workspace !== home && !isBelow(home, workspace)) return;
  throw new HarnessError("usage", `The workspace ${workspace} contains your home directory. Choose a directory inside it.`, {
    option: "cwd",
  });
}
