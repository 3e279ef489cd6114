import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { installed } from "../process/index.ts";
import type { ResourceLimits } from "./resource-limits.ts";

/** Scopes of systemd: control groups without root. */
export interface Scopes {
  open(limits: ResourceLimits): Scope;
}

export interface Scope {
  /** Starts a program in the scope, as the same process. */
  readonly command: readonly string[];
  outOfMemory(): number;
  close(): void;
}

const LONGEST_MS = 5000;

/** The scopes of this user, if systemd runs here and makes them. `mark` is the directory that exists if it runs. */
export function findScope(env: NodeJS.ProcessEnv, mark = "/run/systemd/system"): Scopes | undefined {
  const [run, control] = ["systemd-run", "systemctl"].map((name) => installed([name], env["PATH"]));
  if (!existsSync(mark) || run === undefined || control === undefined) return undefined;
  const user = process.getuid?.() === 0 ? [] : ["--user"];
  const asks = (program: string, args: readonly string[]) =>
    spawnSync(program, [...user, ...args], { env, encoding: "utf8", timeout: LONGEST_MS });
  if (asks(run, ["--scope", "--quiet", "--collect", "true"]).status !== 0) return undefined;
  return {
    open({ memory, processes }) {
      const unit = `harness-${randomBytes(6).toString("hex")}.scope`;
      const most = [
        ...(memory === undefined ? [] : ["-p", `MemoryMax=${memory}`, "-p", "MemorySwapMax=0"]),
        ...(processes === undefined ? [] : ["-p", `TasksMax=${processes}`]),
      ];
      return {
        command: [run, ...user, "--scope", "--quiet", `--unit=${unit}`, ...most, "--"],
        outOfMemory: () => (asks(control, ["show", "--property=Result", "--value", unit]).stdout.trim() === "oom-kill" ? 1 : 0),
        close: () => void asks(control, ["reset-failed", unit]),
      };
    },
  };
}
