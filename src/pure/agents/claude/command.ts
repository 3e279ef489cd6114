// How Claude Code is started.
import { askedFor, type Command, type Needs, type Task } from "../../pipeline/index.ts";
import { claudeServers } from "../mcp.ts";
import { claudeRules } from "./rules.ts";

/**
 * Tools that change nothing. Plan mode also prevents writes, but it changes the prompt and makes the agent write a plan.
 * `dontAsk` still runs shell commands that the user's settings allow.
 */
const READ_ONLY = "Read,Grep,Glob";

/** The prompt goes to stdin: an argument could not start with a dash and is limited to 128 KiB. */
export function claudeCommand(task: Task): Command {
  const args = ["--print", "--output-format", "stream-json", "--verbose", "--include-partial-messages"];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.effort !== undefined) args.push("--effort", task.effort);
  if (task.permissions === "full" && task.hook === undefined) args.push("--dangerously-skip-permissions");
  if (task.permissions === "read-only") args.push("--tools", READ_ONLY);
  if (task.resume !== undefined) args.push("--resume", task.resume);
  if (task.maxTurns !== undefined) args.push("--max-turns", String(task.maxTurns));
  if (task.maxBudgetUsd !== undefined) args.push("--max-budget-usd", String(task.maxBudgetUsd));
  if (task.systemPrompt !== undefined) args.push("--system-prompt", task.systemPrompt);
  if (task.appendSystemPrompt !== undefined) args.push("--append-system-prompt", task.appendSystemPrompt);
  if (task.mcp !== undefined) args.push(...claudeServers(task.mcp));
  const [allowed, denied] = [claudeRules(task.allow), claudeRules(task.deny)];
  if (allowed !== undefined) args.unshift("--allowedTools", ...allowed); // before another option, because they take every argument that follows
  if (denied !== undefined) args.unshift("--disallowedTools", ...denied);
  const unable = [...(allowed ? [] : (["allow"] as const)), ...(denied ? [] : (["deny"] as const))];
  const ignored = askedFor(task, ...unable, "commandLine");
  const hook = task.hook === undefined ? [] : ["--settings", hookSettings(task.hook)]; // last: an earlier --settings is replaced by it
  return { args: [...args, ...(task.extraArgs ?? []), ...hook], stdin: task.prompt, resumes: true, ignored };
}

/** Longer than anyone should wait for a decision. A hook that runs out of time blocks (`onFailure`), as does one that crashes. */
const HOOK_SECONDS = 3600;

/** These settings come before those of the user and the project, which could turn hooks off. */
function hookSettings(command: string): string {
  const hook = { type: "command", command, timeout: HOOK_SECONDS, onFailure: "block" };
  return JSON.stringify({ disableAllHooks: false, hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] } });
}

export const claudeNeeds: Needs = {
  login: "Run claude and log in, or set ANTHROPIC_API_KEY",
  otherLogins: ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
  moved: { CLAUDE_CONFIG_DIR: ".claude" },
  settings: ".claude/settings.json",
  keychain: "darwin",
  level: true,
  user: { levels: ["full"], unless: ["IS_SANDBOX", "1"] },
};
