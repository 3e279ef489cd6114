import { isAgentId, knownAgent } from "../../../pure/agents/index.ts";
import { clipped, errorWords, HarnessError, isObject } from "../../../pure/base/index.ts";
import type { Agent, AgentOrigin, Command, Task } from "../../../pure/pipeline/index.ts";

/** Checks what a module exports and returns it as an agent, or throws one sentence about what is missing. Runs none of its code. */
export function agentOf(value: unknown, origin: AgentOrigin): Agent {
  const { path } = origin;
  const lacks = (what: string) => new HarnessError("usage", `The agent in ${path} ${what}.`);
  if (!isObject(value)) throw lacks("is missing: export an object called agent, or export it as the default");
  try {
    const { id, title = id, binaries = [], aliases, install, credentials, seen, terminal, timeoutMs } = value;
    if (typeof value["open"] !== "function") throw lacks("has no open(), which reads its output");
    if (typeof value["command"] !== "function") throw lacks("has no command(), which says how to start it");
    if (id === undefined) throw lacks("has no id; set it to a short name");
    if (!isAgentId(id)) throw lacks("has an id that is not a short name of letters, digits, dots, dashes and underscores");
    if (knownAgent(id) !== undefined) throw lacks(`has the id ${id}, which belongs to another agent; choose a different one`);
    if (!isLine(title)) throw lacks("has a title that is not a line of text");
    if (!isLines(binaries)) throw lacks("has binaries that are not a list of program names");
    if (!(aliases === undefined || isLines(aliases))) throw lacks("has aliases that are not a list of names");
    if (!(install === undefined || isLine(install))) throw lacks("has an install that is not a line of text");
    if (!(credentials === undefined || isLines(credentials))) throw lacks("has credentials that are not a list of variable names");
    if (!(seen === undefined || isLine(seen))) throw lacks("has a seen that is not a line of text");
    if (!(terminal === undefined || typeof terminal === "boolean")) throw lacks("has a terminal that is neither true nor false");
    if (!(timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs > 0)))
      throw lacks("has a timeoutMs that is not a positive number");
    if (!(value["text"] === undefined || typeof value["text"] === "function")) throw lacks("has a text that is not a function");
    const own = value as unknown as Agent; // its methods may need it as `this`
    return {
      id,
      title,
      aliases,
      binaries,
      install,
      credentials,
      seen,
      terminal: terminal === true ? true : undefined,
      timeoutMs,
      origin,
      command: (task) => commandOf(own, task, path),
      open: (run) => own.open(run),
      text: own.text === undefined ? undefined : (line, stream) => own.text?.(line, stream),
    };
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw lacks(`cannot be inspected: ${reasonOf(error)}`); // a getter, or a proxy
  }
}

function commandOf(own: Agent, task: Task, path: string): Command {
  let command: unknown;
  try {
    command = own.command(task);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("usage", `The agent in ${path} failed in command(): ${reasonOf(error)}.`, { cause: error });
  }
  if (isCommand(command)) return command;
  const wanted = "{ args: [...], and maybe program, stdin, env, resumes and ignored }";
  throw new HarnessError("usage", `The agent in ${path} returned a command that cannot be run; command() must return ${wanted}.`);
}

function isCommand(value: unknown): value is Command {
  if (!isObject(value)) return false;
  const { program, args, stdin, env, ignored } = value;
  return (
    (program === undefined || isText(program)) &&
    isTexts(args) &&
    (stdin === undefined || typeof stdin === "string") &&
    (env === undefined || (isObject(env) && Object.values(env).every(isText))) &&
    (ignored === undefined || isTexts(ignored))
  );
}

/** Text that can be passed to a program. */
function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Text to show: one line, not empty, not too long. */
function isLine(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= 200 && !/\p{Cc}/u.test(value);
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 100 && value.every(isLine);
}

/** The first line of an error, without its full stop, to end one of our sentences. */
export function reasonOf(error: unknown): string {
  try {
    const text = errorWords(error);
    return clipped((text.split("\n")[0] ?? "").replace(/\p{Cc}/gu, "?").replace(/\.$/, ""), 300) || "no reason given";
  } catch {
    return "no reason given";
  }
}
