import { resolve } from "node:path";
import { errorWords, firstWord, isObject } from "../../pure/base/index.ts";
import { readAnswer, ruleText } from "../../pure/events/index.ts";
import type { Task } from "../../pure/pipeline/index.ts";
import { isAbout, type JudgedCall, waysOf } from "./call-rule.ts";
import { byRule, undecided, type Verdict } from "./level.ts";
import type { OnPermission, PermissionRequest } from "./permission.ts";
import { shownCommand } from "./shown-command.ts";

/**
 * Decides requests by itself, such as a policy file. `root` is the workspace, `allow` the rules of the run. Undefined: it has nothing to say
 * about it.
 */
export interface LivePolicy {
  (request: PermissionRequest, root: string | undefined, allow?: readonly string[]): Verdict | undefined;
  /** Differs between policies: results of different ones do not belong together. */
  readonly id?: string;
}

export interface Deciders {
  readonly enforce?: LivePolicy;
  readonly onPermission?: OnPermission;
}

/**
 * Decides the requests of one run: deny rules first, then the policy, allow rules, what was allowed for always, and `onPermission`.
 * Undefined: none of them decides, so the permission level does. Never throws; what fails denies.
 */
export function decider(task: Task, { enforce, onPermission }: Deciders) {
  const rules: Parameters<typeof isAbout>[0][] = [];
  const calls = new Set<string>();

  /** A rule says nothing about a call that does not show what it does. */
  function remembered(request: PermissionRequest, call: JudgedCall, isOpen: boolean): Verdict | undefined {
    if (calls.has(keyOf(request))) return { decision: "allow", reason: "always, this call" };
    const rule = isOpen ? undefined : rules.find((each) => isAbout(each, call, true));
    return rule === undefined ? undefined : { decision: "allow", reason: `always ${typeof rule === "string" ? rule : ruleText(rule)}` };
  }

  async function asked(request: PermissionRequest, signal: AbortSignal): Promise<Verdict | undefined> {
    if (onPermission === undefined) return undefined;
    const { answer, optionId } = withoutOption(await onPermission(request, signal));
    const read = readAnswer(answer);
    if (read.decision === "deny") return { decision: "deny", reason: read.reason, optionId };
    if (read.decision === "once") return { decision: "allow", reason: read.reason ?? "onPermission", optionId };
    if (read.rule === undefined) calls.add(keyOf(request));
    else rules.push(read.rule);
    const rule = read.rule === undefined ? "this call" : ruleText(read.rule);
    return { decision: "allow", reason: `${read.reason ?? "onPermission"}, always ${rule}`, optionId };
  }

  return async (request: PermissionRequest, signal: AbortSignal): Promise<Verdict | undefined> => {
    try {
      const denied = byRule(request, { deny: task.deny });
      if (denied !== undefined) return denied;
      const call = judgedCall(request, task.cwd);
      const judged = enforce?.(request, task.cwd, task.allow);
      const isOpen = judged?.isOpen === true;
      if (judged !== undefined && !isOpen) return judged;
      const reason = undecided(call, task.deny ?? [], task.allow ?? []);
      const open = isOpen ? judged : reason === undefined ? undefined : { decision: "deny" as const, reason, isOpen: true };
      const allowed = open === undefined ? byRule(request, { allow: task.allow }) : undefined;
      return allowed ?? remembered(request, call, open !== undefined) ?? (await asked(request, signal)) ?? open;
    } catch (error) {
      return { decision: "deny", reason: `The decision failed: ${errorWords(error)}` };
    }
  };
}

/** `optionId` chooses among the agent's own answers. It is not part of the answer that all agents share. */
function withoutOption(given: unknown): { readonly answer: unknown; readonly optionId?: string } {
  if (typeof given !== "object" || given === null || !Object.hasOwn(given, "optionId")) return { answer: given };
  const { optionId, ...answer } = given as { readonly optionId?: unknown };
  return typeof optionId === "string" ? { answer, optionId } : { answer: optionId === undefined ? answer : undefined };
}

/** The same call again: everything that the agent said about it, except its id. */
function keyOf({ tool, kind, title, command, input, operations }: PermissionRequest): string {
  return JSON.stringify([tool, kind, title, command, input, operations]);
}

/** A request as rules judge it. */
export function judgedCall(request: PermissionRequest, root: string | undefined): JudgedCall {
  const { tool, kind, command, input, operations } = request;
  const paths = operations.flatMap((operation) => ("path" in operation && operation.path !== undefined ? [operation.path] : []));
  const names = [tool, kind].filter((name) => name !== undefined);
  const shown = command === undefined ? undefined : shownCommand(command, root, directoryOf(request, root));
  return { names, input, paths: waysOf(paths, root), ...(command !== undefined && { command, shown }) } as JudgedCall;
}

const DIRECTORIES = ["workdir", "cwd", "working_directory", "workingDirectory", "dir_path", "directory", "dir"];

/** The directory of a command: as its tool's input says, else that of the agent's shell. */
function directoryOf({ input, directory }: PermissionRequest, root: string | undefined): string | undefined {
  const given = isObject(input) ? firstWord(input, DIRECTORIES) : undefined;
  const base = directory ?? root;
  return given === undefined ? base : resolve(base ?? "/", given);
}
