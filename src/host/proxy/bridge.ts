import type { Gateway } from "./gateway.ts";

/**
 * Runs inside, next to the agent: listens on ports of the loopback device there and pipes each connection to a socket of the gateway. It has
 * no key and makes no decision, so an agent that takes it over gains nothing, and one that kills it only loses its network. The argument
 * is JSON: a directory, the ports and names of the sockets in it, and the name of the proxy's.
 */
const LISTEN = `
const net = require("node:net"), fs = require("node:fs");
const about = JSON.parse(process.argv[1]);
function carry(inner, path) {
  const outer = net.connect({ path, allowHalfOpen: true });
  for (const [side, other] of [[inner, outer], [outer, inner]]) {
    side.on("error", () => other.destroy());
    side.on("close", () => { if (!side.readableEnded || !side.writableFinished) other.destroy(); });
    side.pipe(other);
  }
}
function listen(port, name, host) {
  return new Promise((resolve, reject) => {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (inner) => carry(inner, about.folder + "/" + name));
    server.once("error", reject).listen(port, host, () => { server.on("error", () => {}); resolve(); });
  });
}
const listening = Promise.all(about.ports.map(async ([port, name]) => {
  await listen(port, name, "127.0.0.1");
  await listen(port, name, "::1").catch(() => {});
}));
`;

/** Descriptor 3 gets a word when every port is open and our proxy takes a connection. */
const BRIDGE = `${LISTEN}
for (const name of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR2", "SIGPIPE", "SIGTSTP"]) process.on(name, () => {});
process.on("uncaughtException", () => {});
const reached = new Promise((resolve, reject) => {
  const socket = net.connect({ path: about.folder + "/" + about.proxy }, () => { socket.destroy(); resolve(); }).once("error", reject);
});
Promise.all([listening, reached]).then(() => { fs.writeSync(3, "open"); fs.closeSync(3); }, () => process.exit(1));
`;

/**
 * Starts the bridge as an orphan, waits until it is open, and becomes the command: its descriptors, exit code and signals are its own.
 * Descriptor 4, if there is one, gets the number of the bridge: it is not a process that the agent left behind.
 */
const START = `node=$1 bridge=$2 about=$3; shift 3
said=$( ( unset HARNESS_RUN_COOKIE; exec "$node" -e "$bridge" "$about" 3>&1 </dev/null >/dev/null 2>&1 4>&- 5>&- 6>&- ) & echo "$! " )
case $said in *open) ;; *) echo "harness-bridge: the bridge to the network did not start" >&2; exit 125;; esac
{ echo "bridge \${said%% *}" >&4; } 2>/dev/null
exec "$@"`;

/** A command that runs another one next to a bridge. `node` is the path of Node inside. */
export function bridged(
  command: readonly string[],
  folder: string,
  { ports, proxyPort }: Pick<Gateway, "ports" | "proxyPort">,
  node: string = process.execPath,
): readonly string[] {
  const about = JSON.stringify({ folder, ports: [...ports], proxy: ports.get(proxyPort) });
  return ["/bin/sh", "-c", START, "harness-bridge", node, BRIDGE, about, ...command];
}
