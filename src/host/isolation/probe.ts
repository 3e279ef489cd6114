import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fits, HarnessError, parseJson } from "../../pure/base/index.ts";
import { type Findings, findings } from "../../pure/isolation/index.ts";
import { checkStart } from "../process/index.ts";
import { own, writeFile } from "../sink/index.ts";

/**
 * Runs inside, in milliseconds: it starts no process except Node. Arguments: a file outside, the workspace, and for a closed network Node, a
 * script and its argument.
 */
const PROBE = `canary=$1 workspace=$2 node=$3 reads=false writes=false writable=false new=true processes=0
{ read -r _ <"$canary"; } 2>/dev/null && reads=true
{ true >>"$canary"; } 2>/dev/null && writes=true
[ -w "$workspace" ] && writable=true
for each in /proc/[0-9]*; do [ "$each" = "/proc/$$" ] || processes=$((processes+1)); done
while read -r name value _; do
  case $name in CapEff:) capabilities=$value;; NoNewPrivs:) [ "$value" != 1 ] || new=false;; esac
done </proc/self/status
[ -z "$node" ] || network=$("$node" -e "$4" "$5")
echo '{"readsOutside":'$reads',"writesOutside":'$writes',"writesWorkspace":'$writable',"processes":'$processes',"capabilities":"'$capabilities'","newPrivileges":'$new$network'}'`;

export const PATIENCE_MS = 20_000;

/** How a probe finds out about the network: a script for Node and its argument, given a port outside. */
export type NetworkProbe = (outside: number) => readonly [script: string, about: string];

/**
 * Tries from inside the same walls what the agent must not be able to do, right before the agent starts. `inside` runs a command
 * there, and `node` is the path of Node there.
 */
export async function probeWalls(
  inside: (command: readonly string[]) => Promise<Said>,
  cwd: string,
  network?: NetworkProbe,
  node: string = process.execPath,
): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), "harness-canary-"));
  const canary = join(folder, "canary");
  const server = network && createServer((socket) => socket.destroy());
  try {
    writeFile(canary, own`canary\n`, { mode: 0o600 });
    const closed = server === undefined ? [] : [node, ...(network?.(await listening(server)) ?? [])];
    const { stdout, stderr } = await inside(["/bin/sh", "-c", PROBE, "harness-probe", canary, cwd, ...closed]);
    const found = parsed(stdout);
    if (fits(findings, found)) return found;
    const [why = ""] = stderr.trim().split("\n", 1);
    throw new HarnessError(
      "start",
      `The walls could not be probed${why === "" ? "" : `: ${why.replace(/^(?:bwrap|Error|docker): /, "").replace(/\.$/, "")}`}.`,
      {
        option: "isolate",
      },
    );
  } finally {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that builds walls first: it ends if we die, and everything inside with it. */
export function ran(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Said> {
  const [program = "", ...args] = command;
  checkStart({ cwd, args, env });
  const options = { cwd, env, detached: true, timeout: PATIENCE_MS, killSignal: "SIGKILL" as const, encoding: "utf8" as const };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => resolve({ stdout, stderr: stderr || (error?.message ?? "") })).stdin?.end();
  });
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
