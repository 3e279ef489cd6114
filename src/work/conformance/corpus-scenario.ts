import type { RunStatus, Tokens } from "../../pure/events/index.ts";

/** Matches everything, for values that no one can predict. */
export type Any = "any";

/** A text, or { repeat, times }, as in the model's part of the file. */
export type Text = string | { readonly repeat: string; readonly times: number };

/** How to start the agent: the key `run` of a scenario. */
export interface RunPart {
  /** Default: every agent that supports the scenario. */
  readonly agents: readonly string[] | undefined;
  readonly prompt: Text;
  readonly files: Readonly<Record<string, string>>;
  readonly permissions: string;
  readonly options: readonly string[];
  /** Arguments of the agent, after `--`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly timeout: string;
  /** Whether the run may become a fixture. */
  readonly record: boolean;
  /** Also runs with --core, the quick check. */
  readonly core: boolean;
  /** Provides the scenarios' MCP server. */
  readonly mcp: boolean;
  /** The prompt of a second run that resumes the first. Only the second is compared. */
  readonly resume: string | undefined;
  /** Sent to `harness run` as soon as the file exists in the workspace. */
  readonly signal: { readonly name: NodeJS.Signals; readonly when: string } | undefined;
}

/** What must happen: the key `expect` of a scenario. */
export interface ExpectPart {
  readonly status: RunStatus;
  readonly operations: readonly Readonly<Record<string, unknown>>[] | Any;
  /** How the main thread's calls ended: { succeeded: 1, failed: 2 }; `untold` counts the calls with an unreported end. */
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
  timeout: "200s", // Kilo may need more than a minute to start on a busy machine
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

export type Asked = Omit<RunPart, "prompt" | "agents"> & { readonly prompt: string };

export type Expected = Omit<ExpectPart, "messages"> & {
  readonly messages: readonly string[] | Any;
  readonly signal: NodeJS.Signals | undefined;
};

/** The part of a scripted conversation that the runner needs. */
export interface CorpusScript {
  readonly marker: string;
  readonly turns: number;
}

/** A scenario of the corpus. The model reads its own part of the same file. */
export interface CorpusScenario {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  /** The main one first. */
  readonly scripts: readonly CorpusScript[];
  /** Texts that must reach the model. */
  readonly watch: readonly string[];
  readonly isCore: boolean;
  /** The pins that run it. */
  readonly agents: readonly string[];
  /** The task and the expectations for a pin: the shared part with the pin's own part on top. */
  readonly for: (pin: string) => { readonly asked: Asked; readonly expected: Expected };
  readonly shared: Partial<ExpectPart>;
  /** The parts of `expect` for a single agent. */
  readonly own: ReadonlyMap<string, Partial<ExpectPart>>;
  readonly why: ReadonlyMap<string, string>;
}
