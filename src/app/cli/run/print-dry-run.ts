import type { RunPlan } from "../../../host/recording/index.ts";
import { findSecrets, maskText } from "../../../host/secrets/index.ts";
import { printable, printableJson, shellLine } from "../../../pure/base/index.ts";
import { inTerminal, write } from "../../terminal/index.ts";

/** Prints the planned run: a command line for people, one object for programs. Variables appear by name only. */
export async function printDryRun(plan: RunPlan, json: boolean): Promise<void> {
  const find = findSecrets(plan.secrets);
  const args = plan.args.map((arg) => maskText(arg, find));
  const { agent, binary, cwd, model, permissions, task, earlier, promptBy, environment, secrets } = plan;
  const facts = {
    agent: agent.id,
    binary,
    args,
    promptBy,
    promptBytes: Buffer.byteLength(plan.prompt),
    cwd,
    model: model ?? null,
    permissions,
    allow: task.allow ?? [],
    deny: task.deny ?? [],
    mcp: (task.mcp ?? []).map(({ name }) => name),
    resumes: earlier === undefined ? null : { run: earlier.id, sessionId: earlier.sessionId },
    environment,
    masked: [...new Set(secrets.map(({ name }) => name))],
  };
  if (json || !inTerminal()) return write(`${printableJson(JSON.stringify(facts))}\n`);
  const line = shellLine([binary, ...args]);
  const rows: readonly (readonly [string, string])[] = [
    ["agent", agent.title],
    ["command", promptBy === "stdin" ? `${line} < prompt (${facts.promptBytes} bytes)` : line],
    ["directory", cwd],
    ["permissions", [permissions, ...facts.allow.map((rule) => `+${rule}`), ...facts.deny.map((rule) => `-${rule}`)].join(" ")],
    ["mcp", facts.mcp.join(", ") || "–"],
    ...(earlier === undefined ? [] : [["resumes", `${earlier.id}, session ${earlier.sessionId}`] as const]),
    ["set", environment.set.join(", ") || "–"],
    ["removed", environment.removed.join(", ") || "–"],
    ["masked", facts.masked.join(", ") || "–"],
  ];
  await write(rows.map(([name, value]) => `${name.padEnd(12)} ${printable(value)}\n`).join(""));
}
