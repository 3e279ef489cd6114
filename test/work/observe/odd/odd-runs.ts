import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installed } from "../../../../src/host/process/find-binary.ts";
import type { Launcher } from "../../../../src/host/process/launcher.ts";
import { localLauncher } from "../../../../src/host/process/local-launcher.ts";
import { runProgram } from "../../../../src/host/process/run-program.ts";
import { removeTree } from "../../../../src/host/workspace/remove-tree.ts";
import type { CheckOptions } from "../../../../src/pure/checks/check.ts";
import { checks } from "../../../../src/pure/checks/checks.ts";
import type { RunEvidence } from "../../../../src/pure/checks/evidence.ts";
import { effectsIn } from "../../../../src/pure/checks/traced-effects.ts";
import type { CheckStatus } from "../../../../src/pure/events/index.ts";
import { probeTrace } from "../../../../src/work/observe/commands/trace/probe-trace.ts";
import { watchCommands } from "../../../../src/work/observe/commands/watch-commands.ts";

/**
 * Runs `odd.c`, a program that does what a script says in unusual ways, under a trace; the disk, a packet capture and servers say what really
 * happened. It needs a machine that lets it.
 */
const path = process.env["PATH"] ?? "";

/** Why these programs cannot run here, as a sentence; undefined if they can. */
export function whyNot(): string | undefined {
  if (process.platform !== "linux") return "strace exists for Linux only";
  const missing = ["strace", "cc", "nsenter"].filter((name) => installed([name], path) === undefined);
  if (missing.length > 0) return `${missing.join(", ")} not installed`;
  if (process.getuid?.() !== 0) return "only root may create a network for them";
  const place = fs.mkdtempSync(join(tmpdir(), "harness-probe-"));
  try {
    return probeTrace("strace")?.seesEffects === true ? undefined : "strace may not trace, or shows no effects";
  } finally {
    fs.rmSync(place, { recursive: true });
  }
}

export interface OddRun {
  /** Verdicts of `scope.only_paths` and `scope.no_network`. */
  readonly paths: Judged;
  readonly network: Judged;
  readonly effects: readonly string[];
  readonly gaps: readonly string[];
  /** What changed on the disk outside the workspace. */
  readonly changed: readonly string[];
  /** What was contacted outside the run. */
  readonly contacted: readonly string[];
}

export interface Judged {
  readonly status: CheckStatus;
  readonly message: string;
}

export interface OddOptions {
  /** The program replaces the agent instead of being its command. */
  readonly replacesAgent?: boolean;
  readonly network?: CheckOptions;
  readonly paths?: Partial<CheckOptions>;
}

/** Places in scripts: `$W` the workspace, `$O` a directory outside it. */
export async function oddMachine() {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "harness-odd-")));
  const built = ["odd", "oracle"].map((name) => compiled(name, base));
  const [odd = "", oracleBinary = ""] = built;
  const oracle = await startOracle(oracleBinary);
  let count = 0;

  async function run(script: readonly string[], options: OddOptions = {}): Promise<OddRun> {
    const place = join(base, `run-${++count}`);
    const [workspace, outside] = [join(place, "workspace"), join(place, "outside")];
    const links = lay(workspace, outside);
    const server = await listen(join(outside, "socket"));
    const command = join(place, "agent.sh");
    fs.writeFileSync(command, `#!/bin/sh\n${options.replacesAgent ? "exec " : ""}${odd} "$@"\n`, { mode: 0o755 });
    const directory = join(place, "commands");
    fs.mkdirSync(directory);
    const log = join(directory, "command_logs.jsonl");
    const watch = await watchCommands({ wrap: [], trace: true, path, directory, log });
    const inside: Launcher = {
      id: "netns",
      launch: (program) =>
        localLauncher.launch({
          ...program,
          binary: "nsenter",
          args: [`--net=/proc/${oracle.pid}/ns/net`, "--", program.binary, ...program.args],
        }),
    };
    const state = () => stateOf(place, [outside, odd]);
    const before = state();
    const args = script.map((line) => line.replaceAll("$W", workspace).replaceAll("$O", outside));
    await oracle.contacts();
    const launcher = watch.traced?.(inside);
    await runProgram({ binary: command, args, cwd: workspace, env: { PATH: path }, timeoutMs: 60_000, launcher });
    const changed = differences(before, state());
    const contacted = [...(await oracle.contacts()), ...(server.count() > 0 ? ["socket"] : [])];
    const { summary } = await watch.collect({
      workspace,
      links,
      shared: severalNames(workspace),
      programs: [command],
      names: [],
      given: [],
    });
    server.close();
    // There is no log if the trace is incomplete: then the checks have to say so.
    const effects = summary.effects && (effectsIn(fs.readFileSync(join(directory, "trace_effects.jsonl"), "utf8")) ?? []);
    const evidence = evidenceOf(summary, effects);
    const judged = {
      paths: judge("scope.only_paths", evidence, { paths: ["**"], ...options.paths }),
      network: judge("scope.no_network", evidence, options.network ?? {}),
    };
    await removeTree(place);
    for (const queue of queues()) fs.unlinkSync(queue);
    return {
      ...judged,
      effects: (effects ?? []).map(({ kind, target, by }) => `${kind} ${target.replace(outside, "$O").replace(workspace, "$W")} ${by}`),
      gaps: (summary.effects?.gaps ?? []).map(
        ({ reason, example }) => `${reason}: ${example?.replaceAll(outside, "$O").replaceAll(workspace, "$W")}`,
      ),
      changed,
      contacted,
    };
  }

  return {
    run,
    async close(): Promise<void> {
      oracle.close();
      await removeTree(base);
    },
  };
}

function compiled(name: string, base: string): string {
  const binary = join(base, name);
  const source = join(import.meta.dirname, `${name}.c`);
  const { status, stderr } = spawnSync("cc", ["-O1", "-o", binary, source, "-lpthread", "-lrt"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name}.c could not be compiled: ${stderr}`);
  return binary;
}

async function startOracle(binary: string) {
  const child: ChildProcessWithoutNullStreams = spawn(binary);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: pid } = await lines.next();
  if (pid === undefined) throw new Error("the network could not be created");
  return {
    pid: Number(pid),
    /** What was contacted since the last question. */
    async contacts(): Promise<readonly string[]> {
      child.stdin.write("\n");
      const answer = String((await lines.next()).value);
      return answer.startsWith("0 ") ? [] : [answer];
    },
    close: () => child.stdin.end(),
  };
}

async function listen(at: string): Promise<{ count(): number; close(): void }> {
  let count = 0;
  const server: Server = createServer((socket) => {
    count++;
    socket.on("error", () => {}).end();
  }).listen(at);
  await once(server, "listening");
  return { count: () => count, close: () => void server.close() };
}

/** Returns the links of the workspace. */
function lay(workspace: string, outside: string): ReadonlyMap<string, string> {
  for (const directory of [join(workspace, "d/e"), join(outside, "d/e")]) fs.mkdirSync(directory, { recursive: true });
  for (const file of ["a", "b", "d/f"]) {
    fs.writeFileSync(join(workspace, file), "inside\n");
    fs.writeFileSync(join(outside, file), "outside\n");
  }
  fs.linkSync(join(outside, "a"), join(outside, "hard"));
  fs.symlinkSync(workspace, join(outside, "back"));
  fs.symlinkSync("d", join(outside, "l"));
  const links = new Map([
    ["out", outside],
    ["in", "d"],
    ["file", join(outside, "a")],
    ["d/up", "../../outside"],
  ]);
  for (const [name, target] of links) fs.symlinkSync(target, join(workspace, name));
  return links;
}

/** The files with several names, as the scan of a workspace lists them. */
function severalNames(workspace: string, below = ""): readonly string[] {
  if (!fs.existsSync(join(workspace, below))) return [];
  return fs.readdirSync(join(workspace, below)).flatMap((name) => {
    const path = join(below, name);
    const stats = fs.lstatSync(join(workspace, path));
    return stats.isDirectory() ? severalNames(workspace, path) : stats.nlink > 1 ? [path] : [];
  });
}

const QUEUES = "/dev/mqueue";
const queues = () =>
  (fs.existsSync(QUEUES) ? fs.readdirSync(QUEUES).filter((name) => name.startsWith("odd")) : []).map((name) => join(QUEUES, name));

/** Every object outside the workspace: its identity, attributes and contents. */
function stateOf(place: string, others: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const see = (at: string) => {
    const { ino, mode, nlink, size, mtimeNs, ctimeNs, uid, gid } = fs.lstatSync(at, { bigint: true });
    const kind = Number(mode) & fs.constants.S_IFMT;
    const contents = kind === fs.constants.S_IFREG ? hash(fs.readFileSync(at)) : kind === fs.constants.S_IFLNK ? fs.readlinkSync(at) : "";
    found.set(at.replace(`${place}/`, ""), [ino, mode, nlink, size, mtimeNs, ctimeNs, uid, gid, contents].join(" "));
    if (kind === fs.constants.S_IFDIR) for (const name of fs.readdirSync(at)) see(join(at, name));
  };
  for (const at of others) see(at);
  for (const name of fs.readdirSync(place).filter((each) => !["workspace", "outside", "commands", "agent.sh"].includes(each)))
    see(join(place, name));
  for (const queue of queues()) found.set(queue, "");
  return found;
}

const hash = (data: Buffer) => createHash("sha256").update(data).digest("hex");

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}

function evidenceOf(body: NonNullable<RunEvidence["watched"]>["body"], effects: RunEvidence["effects"]): RunEvidence {
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, mode: 0, type: 0, unknown: 0 };
  const files = { type: "files-changed", method: "other", counts, leftOut: 0, unseen: 0, changes: [], total: 0 } as const;
  return {
    answer: null,
    constraints: [],
    commands: [],
    files: { seq: 3, body: files },
    watched: { seq: 9, body },
    ...(effects && { effects }),
  };
}

function judge(id: string, run: RunEvidence, options: CheckOptions): Judged {
  const verdict = checks.find((each) => each.id === id)?.judge(run, options);
  if (verdict === undefined) throw new Error(`no check ${id}`);
  return { status: verdict.status, message: verdict.message };
}
