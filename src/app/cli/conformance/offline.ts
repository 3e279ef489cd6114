import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onStopSignals } from "../../terminal/index.ts";

/** Set in the process that runs without network. */
const MARK = "HARNESS_WITHOUT_NETWORK";

/** A new network namespace has only loopback, and it is down. */
const LOOPBACK_UP = "ip link set lo up 2>/dev/null || ifconfig lo up";

export function isOffline(): boolean {
  return process.env[MARK] === "1";
}

/**
 * Runs the same command line again with no network except loopback, and returns its exit code. Undefined if the machine cannot do
 * that: it takes Linux, `unshare`, and the right to use it.
 */
export async function rerunOffline(): Promise<number | undefined> {
  const flags = FLAGS.find((each) => spawnSync("unshare", [...each, "sh", "-c", LOOPBACK_UP], { stdio: "ignore" }).status === 0);
  if (flags === undefined) return undefined;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn("unshare", [...flags, "sh", "-c", `${LOOPBACK_UP}; exec "$@"`, "sh", ...command], {
    stdio: "inherit",
    env: { ...process.env, [MARK]: "1" },
  });
  const signals = onStopSignals((signal) => child.kill(signal));
  const [code] = (await once(child, "close")) as [number | null];
  return signals.done() ?? code ?? 1;
}

/** For root, and for users who may create a user namespace. */
const FLAGS = [["--net"], ["--net", "--map-current-user", "--keep-caps"]] as const;
