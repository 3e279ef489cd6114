import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onStopSignals } from "../../terminal/index.ts";

/** Set in the process that has no network any more. */
const MARK = "HARNESS_WITHOUT_NETWORK";

/** Loopback is all there is in a new network, and it is down. */
const LOOPBACK_UP = "ip link set lo up 2>/dev/null || ifconfig lo up";

export function isWithoutNetwork(): boolean {
  return process.env[MARK] === "1";
}

/**
 * Runs this very command line again where there is no network but loopback, and gives its exit code. Undefined where the
 * machine cannot do that: it takes Linux, `unshare`, and the right to use it.
 */
export async function againWithoutNetwork(): Promise<number | undefined> {
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

/** For root, and for those who may have a user namespace of their own. */
const FLAGS = [["--net"], ["--net", "--map-current-user", "--keep-caps"]] as const;
