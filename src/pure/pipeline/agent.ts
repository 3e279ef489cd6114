import type { JsonObject, Translator } from "../base/index.ts";
import type { EventBody, RecordRef, SessionUsage, Stream } from "../events/index.ts";
import type { Pause, Piece } from "./speech.ts";

export type Permissions = "full" | "default" | "read-only";

/** What a run asks an agent to do. */
export interface Task {
  readonly prompt: string;
  readonly model?: string;
  /** How hard the model should think, as the agent's CLI names it. */
  readonly effort?: string;
  readonly cwd?: string;
  readonly permissions?: Permissions;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Our name for the run, for a CLI that lets its caller name the session and does not report the name. */
  readonly sessionName?: string;
  /** The agent's own id of the session to resume. */
  readonly resume?: string;
  /** The directory of the recorded run to resume, for an agent that keeps no sessions; `resumeAt` is the point in it. */
  readonly history?: string;
  readonly resumeAt?: string;
  /** The user's command line, with `{prompt}` for the prompt, for an agent without its own program. */
  readonly commandLine?: string;
  /** Calls that are allowed or denied regardless of `permissions`: globs (docs/guides/run.md). */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Its permission requests are answered, by rules or by a callback. */
  readonly asked?: boolean;
  /** A shell command to run before every tool call, which decides it (docs/guides/enforce.md); for our own agents a socket to ask. */
  readonly hook?: string;
  /** A folder for what the hook needs. It exists while the run does. */
  readonly hookFolder?: string;
  readonly mcp?: readonly McpServer[];
  readonly extraArgs?: readonly string[];
}

/** A Model Context Protocol server for the agent to use: a program or an address. */
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

/** How to start the agent. `stdin` is written and closed: a pipe takes a prompt of any size and first character. */
export interface Command {
  /** Set if it is not one of the agent's `binaries`. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It was configured to ask before it acts. */
  readonly asks?: true;
  /** A tool that is always denied if calls are decided, because what it starts cannot be decided. */
  readonly withholds?: { readonly tool: string; readonly reason: string };
  /** Set if the command resumes `task.resume`. Without it the agent would start over, so the run is rejected. */
  readonly resumes?: true;
  /** Requested options that this CLI does not support. */
  readonly ignored?: readonly (keyof Task)[];
  /** What the requested permissions do not hold back, as a sentence. */
  readonly unheld?: string;
  readonly overlay?: SettingsOverlay;
}

/** A home with other settings, for an agent that takes them from nowhere else. All other files in its folder are links to the user's. */
export interface SettingsOverlay {
  /** The variable that names the home. */
  readonly variable: string;
  readonly home: string;
  /** In the home: `.gemini`. */
  readonly folder: string;
  readonly file: string;
  readonly merged: (settings: JsonObject) => JsonObject;
  /** Keys that win if the workspace has its own settings, so it must not set them. */
  readonly guarded: readonly string[];
}

/** Which of these options the task sets: a CLI lists those it does not support. */
export function askedFor(task: Task, ...options: readonly (keyof Task)[]): readonly (keyof Task)[] {
  return options.filter((option) => task[option] !== undefined);
}

/** What a translator knows about its run. */
export interface RunContext {
  readonly cwd?: string;
  /** The name we gave the session, if any. */
  readonly sessionName?: string;
  /** What the session had used before this run resumed it: some CLIs count the whole session. */
  readonly before?: SessionUsage;
  /** The record that is being pushed, for an event that cites it later. */
  readonly here: RecordRef;
  /** The time of that record. */
  readonly at: number;
}

/** What a translator answers: events, and text that later lines may continue. */
export type Translated = EventBody | Piece | Pause;

/** Reads the objects of a stream. Some agents also print plain text, or one object over many lines. */
export interface LineTranslator extends Translator<JsonObject, Translated> {
  /** `text` is the line that the object was read from. */
  push(line: JsonObject, text?: string): readonly Translated[];
  /** A line of stdout that is not a JSON object; of a plain agent also a blank one. Undefined leaves it to `Agent.text` and the log's default. */
  text?(line: string): readonly Translated[] | undefined;
  /** The record in which the oldest request began that is not reported yet, because it may still grow. */
  pending?(): RecordRef | undefined;
  /** A fact from the recorder, or the meaning of a line of stderr: it may change how later output is read. */
  learn?(fact: EventBody): void;
}

/** The file a user-defined agent was loaded from. A recording needs it to be read again. */
export interface AgentOrigin {
  /** `module`: a program, started only by its user. `schema`: data, kept with the recording. */
  readonly kind: "module" | "schema";
  /** Absolute. */
  readonly path: string;
  /** The hash of the file. */
  readonly sha256: string;
  /** The contents of a schema file. */
  readonly schema?: JsonObject;
}

/** A pattern of the answer, and the tools that write or run something: such a request may lack the arguments that would show it. */
export interface Withheld {
  readonly says: RegExp;
  readonly tools: readonly string[];
}

/** What must hold before an agent can work with no one present. An evaluation checks it before its first trial. */
export interface Needs {
  /** How to log in: an instruction. Without `credentials`, `credentialFiles` or one of `otherLogins`, it reaches no model. */
  readonly login?: string;
  /** Variables that replace its credentials; `*_API_KEY` is any variable that ends so. */
  readonly otherLogins?: readonly string[];
  /** Variables that move a directory of its credential files. */
  readonly moved?: Readonly<Record<string, string>>;
  /** A file of the user's home, not copied into another, that may name a different way to log in. */
  readonly settings?: string;
  /** The platform on which its login may be in the system's keychain. */
  readonly keychain?: string;
  /** At the level `default` it denies writes and commands: the level must be chosen. */
  readonly level?: true;
  /** The levels at which it refuses to work outside a git repository, and the argument that allows it. */
  readonly git?: { readonly levels: readonly Permissions[]; readonly unless: string };
  /** The levels at which it refuses to work as root, and the variable with the value that allows it. */
  readonly user?: { readonly levels: readonly Permissions[]; readonly unless: readonly [variable: string, value: string] };
  /** How an agent with its own sandbox learns that it is already isolated. `nests`: its own one works inside, except for root. */
  readonly sandbox?: {
    readonly nests?: true;
    /** Come before its other arguments. */
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

/** A service whose models an agent can use, and how to send its requests to a different address. */
export interface Provider {
  /** Its address, as the agent writes it: with or without a path. */
  readonly url: string;
  /** Variables that may hold a key for it. */
  readonly keys: readonly string[];
  /** Variables that replace the address. The first one that is set counts. */
  readonly variables?: readonly string[];
  /** What replaces the address, if no variable does: variables, or arguments in front of the others. Undefined: nothing can, in this environment. */
  at?(url: string, environment: Readonly<Record<string, string | undefined>>): Elsewhere | undefined;
  /** Other hosts that it needs to log in or to renew its login. */
  readonly logins?: readonly string[];
}

export interface Elsewhere {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** What differs between the requests of two runs that do the same. */
export interface Volatile {
  /** Fields of a request, by path: `metadata.user_id`. `*` is any name or place in a list. */
  readonly fields?: readonly string[];
  /** Text, and the name that stands for it in a comparison. */
  readonly texts?: readonly { readonly name: string; readonly text: RegExp }[];
}

/** A coding agent: how to start it and how to read it. A plain object; a missing method means a missing ability. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly aliases?: readonly string[];
  /** Program names to look for on PATH, best first. */
  readonly binaries: readonly string[];
  /** Part of this package: needs no installation and reports everything it does. */
  readonly inside?: true;
  /** The product's name, if it differs from the id. Specification 003 uses it, and names output files by both. */
  readonly product?: string;
  /** Any command. Its plain text does not report what it does. */
  readonly plain?: true;
  /** The directory of a workspace in which it looks for skills, one folder each. */
  readonly skillFolder?: string;
  /** How to install it, in a few words. */
  readonly install?: string;
  /** Variables that may hold its credentials. */
  readonly credentials?: readonly string[];
  /** Files under the home directory that keep it logged in and name the account. Copied if a run has its own home. */
  readonly credentialFiles?: readonly string[];
  /** Those of them with nothing but tokens, which the agent renews: copied back. Settings never are, because they can name programs. */
  readonly refreshedFiles?: readonly string[];
  /** Directories under the home with its sessions. */
  readonly sessionFolders?: readonly string[];
  /** The models' services that it may need. A sealed run reaches those whose key or address is set, or all if none is. */
  readonly providers?: readonly Provider[];
  readonly needs?: Needs;
  /** What a rerun leaves out of a comparison of requests. */
  readonly volatile?: Volatile;
  /** The CLI version in which its format was last seen; absent for a format without one. */
  readonly seen?: string;
  /** Its stream ends with a record that states the outcome. A stream without one is never a success. */
  readonly terminal?: true;
  /**
   * How it answers a request for a tool that it does not offer. If that tool would write or run something, the request counts as denied.
   * Read from our own agents only: a user-defined one reports a denial itself.
   */
  readonly withheld?: readonly Withheld[];
  /** At `read-only` its commands run in a sandbox and can change nothing. */
  readonly sandboxed?: true;
  /** SIGINT makes it report its result and its usage before it exits, which SIGTERM does not. It is then stopped with SIGINT first. */
  readonly reportsOnInterrupt?: true;
  /** The default time limit of a run. */
  readonly timeoutMs?: number;
  /** Set by the loader of agent files. */
  readonly origin?: AgentOrigin;
  /** Takes no prompt argument: it speaks this protocol on stdin and stdout until it has answered. */
  readonly protocol?: "acp";
  /**
   * It runs `task.hook` before every tool call, and not the call if the hook exits with 2. The value is how it takes a yes: as Claude Code's
   * JSON, or as silence, like Codex. Our own agents ask the socket that `task.hook` is for them.
   */
  readonly hook?: "json" | "silent" | "socket";
  /** Throws before the start if the run would be useless. */
  check?(task: Task, environment: Readonly<Record<string, string | undefined>>): void;
  command(task: Task): Command;
  /** Reads its standard output, one JSON object at a time. Return `consumed` for a line that is dropped on purpose. */
  open(run: RunContext): LineTranslator;
  /** Reads a line that is not a JSON object, or any line of stderr. Undefined leaves it to the log's default. */
  text?(line: string, stream: Stream): EventBody | readonly EventBody[] | undefined;
}

/**
 * Returned by a translator that read an input and has nothing to say, or will say it later. Any other empty array counts as an
 * oversight and makes the input an `unknown`, so a line cannot be lost by forgetting it.
 */
export const consumed: readonly EventBody[] = Object.freeze(Object.defineProperty([], Symbol.for("harness.consumed"), { value: true }));

/** Also true for the array of another copy of this package: a user-defined agent imports its own. */
export function isConsumed(answer: unknown): boolean {
  return Array.isArray(answer) && Symbol.for("harness.consumed") in answer;
}

/** The rule for what only the end of the stream shows: nothing followed that would have said otherwise. */
export const STREAM_ENDED = "stream-ended";
