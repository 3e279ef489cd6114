import type { JsonObject, Translator } from "../base/index.ts";
import type { EventBody, RecordRef, SessionUsage, Stream } from "../events/index.ts";

export type Permissions = "full" | "default" | "read-only";

/** What a run asks of an agent. */
export interface Task {
  readonly prompt: string;
  readonly model?: string;
  readonly cwd?: string;
  readonly permissions?: Permissions;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** What we call the run, for a CLI that lets its caller name the session and does not tell the name it gave it. */
  readonly sessionName?: string;
  /** The agent's own id of a session to go on with. */
  readonly resume?: string;
  /** The directory of the recorded run that is gone on with, and the place in it: for an agent that keeps no sessions of its own. */
  readonly history?: string;
  readonly resumeAt?: string;
  /** The user's own command line, `{prompt}` standing for the prompt: for an agent that has no program of its own. */
  readonly commandLine?: string;
  /** Calls that are permitted, or refused, whatever `permissions` says: globs (docs/guides/run.md). */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Somebody decides about what it asks: rules, or a function of the caller's. */
  readonly asked?: boolean;
  readonly mcp?: readonly McpServer[];
  readonly extraArgs?: readonly string[];
}

/** A server of the Model Context Protocol that the agent is to use: a program, or an address. */
export type McpServer = McpProgram | McpAddress;

export interface McpProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface McpAddress {
  readonly name: string;
  readonly type: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How to start it. `stdin` is written and closed; a file or a pipe takes a prompt of any size and first character. */
export interface Command {
  /** Where it is not one of the agent's `binaries`. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It asks before it does anything, because it was configured to. */
  readonly asks?: true;
  /** Set where the command goes on with `task.resume`: one that does not say so would begin anew, and is refused. */
  readonly resumes?: true;
  /** What was asked for and this CLI has no way to take. */
  readonly ignored?: readonly (keyof Task)[];
}

/** Which of these were asked for: a CLI that has no way to take them says so. */
export function askedFor(task: Task, ...options: readonly (keyof Task)[]): readonly (keyof Task)[] {
  return options.filter((option) => task[option] !== undefined);
}

/** What a translator may know of its run. */
export interface RunContext {
  readonly cwd?: string;
  /** What the session was named when it was started, where it was. */
  readonly sessionName?: string;
  /** What the session had used before this run, which resumed it: some CLIs count the whole session. */
  readonly before?: SessionUsage;
  /** The record whose line is being pushed, for an event that will cite it later. */
  readonly here: RecordRef;
}

/** Reads the objects of a stream; some agents also print what is no object, or one object over many lines. */
export interface LineTranslator extends Translator<JsonObject, EventBody> {
  /** A line of stdout that is no JSON object; undefined leaves it to `Agent.text` and the log's own rule. */
  text?(line: string): readonly EventBody[] | undefined;
  /** Something that we did or saw ourselves has been told: what the agent says later may have to be read in its light. */
  learn?(fact: EventBody): void;
}

/** The file that an agent of somebody's own was read from: what a recording needs to know to be read again. */
export interface AgentOrigin {
  /** `module`: a program, which only its user may have started. `schema`: data, which is kept with the recording. */
  readonly kind: "module" | "schema";
  /** Absolute. */
  readonly path: string;
  /** Of the file's bytes. */
  readonly sha256: string;
  /** What the file says, of a schema. */
  readonly schema?: JsonObject;
}

/** A coding agent: how to invoke it, how to read it. A plain object; an ability it lacks is a method it lacks. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  /** Other names people call it by. */
  readonly aliases?: readonly string[];
  /** Program names to look for on PATH, best first. */
  readonly binaries: readonly string[];
  /** It is part of this package: its program is ours, nobody has to install it, and it says all that it does. */
  readonly inside?: true;
  /** What the product is called, if that is not its id. Specification 003 names it so, and its output also by its id. */
  readonly product?: string;
  /** It stands for any command, whose plain text does not report what the command does. */
  readonly plain?: true;
  /** How people install it, in a few words. */
  readonly install?: string;
  /** Variables that may hold its credentials. */
  readonly credentials?: readonly string[];
  /** Files under the home directory that keep it logged in, and say with whom: copied where a run has a home of its own. */
  readonly credentialFiles?: readonly string[];
  /** The CLI version its format was seen in; absent for a format that has none. */
  readonly seen?: string;
  /** Its stream ends with a record that says how the run went; a stream without one is then never a success. */
  readonly terminal?: true;
  /** How long a run of it may take where nobody says otherwise. */
  readonly timeoutMs?: number;
  /** Set by whoever read it from a file. */
  readonly origin?: AgentOrigin;
  /** It takes no prompt: it is spoken with in this protocol, on its standard input and output, until it has answered. */
  readonly protocol?: "acp";
  /** Throws what would keep a run from being of any use, told before it starts. */
  check?(task: Task, environment: Readonly<Record<string, string | undefined>>): void;
  command(task: Task): Command;
  /** What one JSON object of its standard output means. Answer `consumed` for what is knowingly dropped. */
  open(run: RunContext): LineTranslator;
  /** A line that is no JSON object, or any line of stderr: what it says, or the several things it says; undefined leaves it to the log's own rule. */
  text?(line: string, stream: Stream): EventBody | readonly EventBody[] | undefined;
}

/**
 * The answer of a translator that read an input and has nothing to say about it, or will say it later. An empty array of
 * any other identity is taken for an oversight, and the input becomes an `unknown`: a line cannot be lost by forgetting it.
 */
export const consumed: readonly EventBody[] = Object.freeze(Object.defineProperty([], Symbol.for("harness.consumed"), { value: true }));

/** The same array, or that of another copy of this package: an agent of somebody's own imports the one it has. */
export function isConsumed(answer: unknown): boolean {
  return Array.isArray(answer) && Symbol.for("harness.consumed") in answer;
}
