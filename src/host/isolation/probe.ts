import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fits, HarnessError, parseJson } from "../../pure/base/index.ts";
import { type Findings, findings } from "../../pure/isolation/index.ts";
import { type Launcher, runProgram } from "../process/index.ts";
import type { SealedNetwork } from "../proxy/index.ts";
import { own, writeFile } from "../sink/index.ts";

/** Runs inside, in milliseconds. Arguments: a file outside, the workspace, and for a closed network Node and a port outside. */
const PROBE = `canary=$1 workspace=$2 node=$3 port=$4
yes() { if "$@" 2>/dev/null; then echo true; else echo false; fi; }
reads() ( read -r _ <"$canary" )
writes() ( : >>"$canary" )
processes=0
for each in /proc/[0-9]*; do [ "$each" = "/proc/$$" ] || processes=$((processes+1)); done
while read -r name value _; do
  case $name in CapEff:) capabilities=$value;; NoNewPrivs:) new=$value;; esac
done </proc/self/status
[ -z "$node" ] || network=$("$node" -e "$5" "$port" "$6")
echo '{"readsOutside":'$(yes reads)',"writesOutside":'$(yes writes)',"writesWorkspace":'$(yes [ -w "$workspace" ])',"processes":'$processes',"capabilities":"'$capabilities'","newPrivileges":'$(yes [ "$new" != 1 ])$network'}'`;

/** Connects to a port outside, which must fail, and to our proxy and the models inside, which must not. Prints fields for the findings. */
const CONNECT = `
const net = require("node:net");
const [outside, inside] = process.argv.slice(1);
const { proxy, models } = JSON.parse(inside);
const tries = (port, text) => new Promise((resolve) => {
  const socket = net.connect(port, "127.0.0.1", () => text === undefined ? resolve(true) : socket.write(text));
  socket.on("data", (answer) => resolve(String(answer).startsWith("HTTP/1.1 "))).on("error", () => resolve(false)).on("close", () => resolve(false));
  setTimeout(() => resolve(false), 5000);
});
Promise.all([tries(outside), proxy && tries(proxy, "GET / HTTP/1.0\\r\\n\\r\\n"), ...models.map((port) => tries(port))]).then(([connects, answers, ...open]) => {
  const found = proxy ? ',"reachesProxy":' + (answers && open.every(Boolean)) : "";
  process.stdout.write(',"connectsOutside":' + connects + found, () => process.exit());
});`;

const PATIENCE_MS = 20_000;

/** Tries from inside the same walls what the agent must not be able to do, right before the agent starts. */
export async function probeWalls(
  launcher: Launcher,
  cwd: string,
  env: NodeJS.ProcessEnv,
  sealed?: Pick<SealedNetwork, "proxyPort" | "modelPorts">,
): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), "harness-canary-"));
  const canary = join(folder, "canary");
  writeFile(canary, own`canary\n`, { mode: 0o600 });
  const server = sealed === undefined ? undefined : createServer((socket) => socket.destroy());
  try {
    const inside = JSON.stringify({ proxy: sealed?.proxyPort, models: sealed?.modelPorts });
    const closed = server === undefined ? [] : [process.execPath, String(await listening(server)), CONNECT, inside];
    const args = ["-c", PROBE, "harness-probe", canary, cwd, ...closed];
    const { stdout, stderr } = await runProgram({ binary: "/bin/sh", args, cwd, env, timeoutMs: PATIENCE_MS, launcher });
    const found = parsed(stdout);
    if (fits(findings, found)) return found;
    const [why = ""] = stderr.trim().split("\n", 1);
    throw new HarnessError("start", `The walls could not be probed${why === "" ? "" : `: ${why.replace(/^bwrap: /, "")}`}.`, {
      option: "isolate",
    });
  } finally {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
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
