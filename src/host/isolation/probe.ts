import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fits, HarnessError, parseJson } from "../../pure/base/index.ts";
import { type Findings, findings } from "../../pure/isolation/index.ts";
import { checkStart } from "../process/index.ts";
import { own, writeFile } from "../sink/index.ts";

/** For Node: says whether a port is reached. */
const CONNECT = `require("node:net").connect(process.argv[1], "127.0.0.1", () => done(true)).on("error", () => done(false));
const done = (isConnected) => process.stdout.write(String(isConnected), () => process.exit());`;

/**
 * Runs inside, in milliseconds: it starts no process except Bash. Arguments: a file outside, the workspace, and for a closed network a port
 * outside, Node and a script, for machines whose Bash cannot connect.
 */
const PROBE = `canary=$1 workspace=$2 port=$3 reads=false writes=false writable=false new=true processes=0
{ read -r _ <"$canary"; } 2>/dev/null && reads=true
{ true >>"$canary"; } 2>/dev/null && writes=true
[ -w "$workspace" ] && writable=true
for each in /proc/[0-9]*; do [ "$each" = "/proc/$$" ] || processes=$((processes+1)); done
while read -r name value _; do
  case $name in CapEff:) capabilities=$value;; NoNewPrivs:) [ "$value" != 1 ] || new=false;; esac
done </proc/self/status
if [ -n "$port" ]; then
  case $(LC_ALL=C bash -c '(: <>"/dev/tcp/127.0.0.1/$1") && echo connected' harness-probe "$port" 2>&1) in
    connected) connects=true;;
    *"Connection refused"* | *"Network is unreachable"*) connects=false;;
    *) connects=$("$4" -e "$5" "$port");;
  esac
  network=',"connectsOutside":'$connects
fi
echo '{"readsOutside":'$reads',"writesOutside":'$writes',"writesWorkspace":'$writable',"processes":'$processes',"capabilities":"'$capabilities'","newPrivileges":'$new$network'}'`;

export const PATIENCE_MS = 20_000;

/**
 * Tries from inside the same walls what the agent must not be able to do, right before the agent starts. `inside` runs a command
 * there. `node` is the path of Node there, if the network must be closed.
 */
export async function probeWalls(inside: (command: readonly string[]) => Promise<Said>, cwd: string, node?: string): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), "harness-canary-"));
  const canary = join(folder, "canary");
  const server = node === undefined ? undefined : createServer((socket) => socket.destroy());
  try {
    writeFile(canary, own`canary\n`, { mode: 0o600 });
    const closed = server === undefined || node === undefined ? [] : [String(await listening(server)), node, CONNECT];
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
