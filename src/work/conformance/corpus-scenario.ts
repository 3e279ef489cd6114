import type { RunStatus, Tokens } from "../../pure/events/index.ts";

/** For what nobody can foresee. */
export type Any = "any";

/** A text, or { repeat, times }, as in the model's part. */
export type Text = string | { readonly repeat: string; readonly times: number };

/** How the agent is started: the key `run` of a scenario. */
export interface RunPart {
  /** Default: every one that can. */
  readonly agents: readonly string[] | undefined;
  readonly prompt: Text;
  readonly files: Readonly<Record<string, string>>;
  readonly permissions: string;
  /** Of `harness run`. */
  readonly options: readonly string[];
  /** Of the agent, behind `--`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly timeout: string;
  /** Whether a fixture is made of it. */
  readonly record: boolean;
  /** Runs with --core too: what one must know at once. */
  readonly core: boolean;
  /** The MCP server of the scenarios is there. */
  readonly mcp: boolean;
  /** What the session is asked next: a second run, which resumes the first, and which alone is compared. */
  readonly resume: string | undefined;
  /** Sent to `harness run` when that file is in the workspace. */
  readonly signal: { readonly name: NodeJS.Signals; readonly when: string } | undefined;
}

/** What must happen: the key `expect` of a scenario. */
export interface ExpectPart {
  readonly status: RunStatus;
  readonly operations: readonly Readonly<Record<string, unknown>>[] | Any;
  /** How the calls of the main thread ended: { succeeded: 1, failed: 2 }, and `untold` for those that nobody told. */
  readonly calls: Readonly<Record<string, number>> | Any;
  /** Default: every text of the main script. */
  readonly messages: readonly Text[] | Any | undefined;
  /** { started: 1, completed: 1 } */
  readonly subagents: Readonly<Record<string, number>>;
  readonly warnings: readonly string[] | Any;
  readonly errors: readonly string[] | Any;
  readonly unknown: number | Any;
  /** Default: all of them. */
  readonly turns: number | Any | undefined;
  readonly usage: "ledger" | "unknown" | Any | Partial<Tokens>;
  readonly files: Readonly<Record<string, string | null>>;
}

export const runDefaults: RunPart = {
  agents: undefined,
  prompt: "Do what the script says.",
  files: {},
  permissions: "full",
  options: [],
  args: [],
  env: {},
  model: undefined,
  timeout: "200s", // Kilo needs a minute and more to start on a busy machine
  record: true,
  core: false,
  mcp: false,
  resume: undefined,
  signal: undefined,
};

export const expectDefaults: ExpectPart = {
  status: "completed",
  operations: [],
  calls: "any",
  messages: undefined,
  subagents: {},
  warnings: [],
  errors: [],
  unknown: 0,
  turns: undefined,
  usage: "ledger",
  files: {},
};

/** What one agent is asked to do. */
export type Asked = Omit<RunPart, "prompt" | "agents"> & { readonly prompt: string };

/** What it must then do. */
export type Expected = Omit<ExpectPart, "messages"> & {
  readonly messages: readonly string[] | Any;
  readonly signal: NodeJS.Signals | undefined;
};

/** What the runner knows of a conversation of the model's part. */
export interface CorpusScript {
  readonly marker: string;
  readonly turns: number;
}

/** A scenario of the corpus; the model reads its own part of the file. */
export interface CorpusScenario {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  /** The main one first. */
  readonly scripts: readonly CorpusScript[];
  /** Texts that must reach the model. */
  readonly watch: readonly string[];
  readonly isCore: boolean;
  /** The pins that it is for. */
  readonly agents: readonly string[];
  /** What a pin is asked and must do: what all share, with its own part on top. */
  readonly for: (pin: string) => { readonly asked: Asked; readonly expected: Expected };
  /** What is expected of all. */
  readonly shared: Partial<ExpectPart>;
  /** The parts of `expect` that are for one agent alone. */
  readonly own: ReadonlyMap<string, Partial<ExpectPart>>;
  /** The reasons of these, by agent. */
  readonly why: ReadonlyMap<string, string>;
}
