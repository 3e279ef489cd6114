import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { containerArgs, type Mount } from "../../pure/isolation/index.ts";
import { type Launch, launchWalled, processFile, processIds } from "../process/index.ts";
import { forProgram, own, writeFile } from "../sink/index.ts";
import { type Builder, outside, probedBy } from "./builder.ts";
import { findEngine } from "./engine.ts";
import { isBelow, runMounts } from "./mounts.ts";

/** Inside: what starts the program, and our Node, which needs none of the image's libraries. */
const START = "/run/harness-start";
const NODE = "/run/harness-node";

/**
 * Outside. $1: a directory, $2: the engine, $3: the container's name, $4: what removes it. Carries the report of the program inside from a
 * pipe in the directory to descriptor 4, and says there how the engine ended. What the engine says is the program's stderr only if it did not
 * start.
 */
const OPEN = `folder=$1 engine=$2 name=$3 remove=$4; shift 4
( unset HARNESS_RUN_COOKIE; exec setsid /bin/sh -c "$remove" harness-box "$engine" "$name" </dev/null >/dev/null 2>&1 6>&- ) &
( exec </dev/null 2>/dev/null; unset HARNESS_RUN_COOKIE; exec cat "$folder/report" >&4 ) &
"$@" 4>&- 2>"$folder/said"
status=$?
[ -e "$folder/run/started" ] || cat "$folder/said" >&2
echo "engine $status" 1<>"$folder/report"
exit $status`;

/** Waits in its own session for the end of descriptor 4, which means that the recorder asks or is dead, and removes the container. */
const REMOVE = `read -r _ <&4
for round in 1 2 3 4 5; do
  "$1" kill --signal KILL "$2"
  "$1" rm --force "$2" && [ $round -gt 1 ] && exit
  [ "$("$1" ps --all --quiet --filter "name=^$2$")" = "" ] && exit
  sleep 0.2
done`;

/** Builds containers. Throws a sentence with the remedy if this machine cannot do it. `place` is a private directory. */
export function boxBuilder(image: string, path: string | undefined, place: () => string): Builder {
  const engine = findEngine(image, path);
  let count = 0;
  const builder: Builder = {
    tool: { tool: engine.name, version: engine.version, image: engine.image },
    node: `${NODE}/node`,
    mounts: (seen) => [...runMounts(seen), ...nodeMounts(place())],
    probe: (command, program, mounts) => probedBy((launch) => builder.launch(launch, mounts))(command, program),
    launch(program, mounts, bridge = (command) => command) {
      const folder = join(place(), `start-${++count}`);
      const name = `harness-${randomBytes(8).toString("hex")}`;
      const output = outputOf(program);
      prepare(folder, program, mounts, output);
      const args = containerArgs({
        name,
        image,
        options: engine.options,
        cwd: program.cwd,
        ulimits: ulimits(program),
        memory: program.limits?.["memory"],
        processes: program.limits?.["processes"],
        mounts: [
          { kind: "write", path: "/run", from: join(folder, "run") }, // not by the engine: Podman 4.3 may mount it after what is in it
          { kind: "write", path: "/var/tmp", from: join(folder, "var") },
          ...mounts,
          { kind: "read", path: START, from: folder },
          ...output.map(([stream, from]): Mount => ({ kind: "write", path: `${START}/${stream}`, from })),
        ],
      });
      const before = ["/bin/sh", "-c", OPEN, "harness-box", folder, engine.path, name, REMOVE, engine.path, ...args];
      return launchWalled(program, {
        env: process.env,
        cwd: outside(program.cwd),
        hold: `${START}/hold`,
        first: () => firstOf(name),
        wrap: (command) => [...before, "/bin/sh", `${START}/start`, name, ...bridge(command)],
      });
    },
  };
  return builder;
}

type Stream = "stdout" | "stderr";

/** Files that are the program's output: it writes them itself, as it does outside. The rest passes through the engine. */
function outputOf({ stdio: [, stdout, stderr] }: Launch): readonly (readonly [Stream, string])[] {
  const streams: readonly (readonly [Stream, unknown])[] = [
    ["stdout", stdout],
    ["stderr", stderr],
  ];
  return streams.flatMap(([stream, fd]): readonly (readonly [Stream, string])[] => {
    if (typeof fd !== "number") return [];
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    return path.startsWith("/") && !path.startsWith("/dev/") && !path.endsWith(" (deleted)") ? [[stream, path]] : [];
  });
}

/** The directory that starts the program inside. */
function prepare(folder: string, program: Launch, mounts: readonly Mount[], output: readonly (readonly [Stream, string])[]): void {
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ["run", "var"]) mkdirSync(join(folder, name), { mode: 0o700 });
  for (const [stream] of output) writeFile(join(folder, stream), own``, { mode: 0o600 });
  const pipes = ["report", "hold"].map((name) => join(folder, name));
  if (spawnSync("mkfifo", ["-m", "600", ...pipes]).status !== 0)
    throw new HarnessError("start", "The pipes of a container cannot be made. Install mkfifo (coreutils), or choose a different level.", {
      option: "isolate",
    });
  const { PATH = "", ...env } = { ...program.env, HARNESS_RUN_COOKIE: program.cookie };
  const seen = mounts.flatMap((mount) =>
    mount.kind === "read" || (mount.kind === "write" && mount.from === undefined) ? [mount.path] : [],
  );
  const ours = PATH.split(":").filter((entry) => seen.some((path) => entry === path || isBelow(entry, path)));
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? [`export ${name}=${quoted(value)}`] : [],
  );
  const script = [
    ...variables,
    ...(ours.length > 0 ? [`PATH=${quoted(ours.join(":"))}:$PATH`] : []),
    `exec 4>${START}/report`,
    ...output.map(([stream]) => `exec ${stream === "stdout" ? "" : 2}>>${START}/${stream}`),
    ": >/run/started",
    "shift",
    "trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2",
    `"$@"`,
    "exit",
  ];
  writeFile(join(folder, "start"), forProgram(`${script.join("\n")}\n`), { mode: 0o600 });
}

/** Below those of an engine, which cannot raise its own. */
const MOST = { nofile: 1_048_576, nproc: 32_768 };

function ulimits({ limits = {} }: Launch): readonly string[] {
  const text = readFileSync("/proc/self/limits", "utf8");
  const hard = (name: string, most: number) => Math.min(Number(new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(text)?.[1] ?? most), most);
  const [files, processes] = [hard("Max open files", MOST.nofile), hard("Max processes", MOST.nproc)];
  const { file, cpu } = limits;
  return [
    `nofile=${files}:${files}`,
    `nproc=${processes}:${processes}`,
    ...(file === undefined ? [] : [`fsize=${file}:${file}`]),
    ...(cpu === undefined ? [] : [`cpu=${Math.ceil(cpu / 1000)}:${Math.ceil(cpu / 1000)}`]),
  ];
}

/** Our Node with its libraries, started by its own loader: an image may have others, or none. */
function nodeMounts(place: string): readonly Mount[] {
  const libraries = [...spawnSync("ldd", [process.execPath], { encoding: "utf8" }).stdout.matchAll(/^\s*(?:(\S+) => )?(\/\S+) \(0x/gm)];
  const loader = libraries.find(([, name]) => name === undefined)?.[2];
  const start = loader === undefined ? "" : `${NODE}/lib/loader --library-path ${NODE}/lib `;
  const script = join(place, "node");
  writeFile(script, forProgram(`#!/bin/sh\nexec ${start}${NODE}/program "$@"\n`), { mode: 0o700 });
  chmodSync(script, 0o700);
  return [
    { kind: "read", path: `${NODE}/node`, from: script },
    { kind: "read", path: `${NODE}/program`, from: realpathSync(process.execPath) },
    ...libraries.map(([, name, path = ""]): Mount => ({ kind: "read", path: `${NODE}/lib/${name ?? "loader"}`, from: realpathSync(path) })),
  ];
}

/** The first process of a container, by its number there and the name among its arguments. */
function firstOf(name: string): number | undefined {
  return processIds().find(
    (pid) =>
      /^NSpid:(?:\t\d+)+\t1$/m.test(processFile(pid, "status").toString("latin1")) && processFile(pid, "cmdline").includes(`\0${name}\0`),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
