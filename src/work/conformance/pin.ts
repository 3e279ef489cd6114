import type { Tokens } from "../../pure/events/index.ts";
import type { LedgerEntry } from "../model/index.ts";
import type { ExpectPart } from "./corpus-scenario.ts";

/** Connects an agent to an MCP server or to one model: variables, files in its home, arguments. */
interface Furnishing {
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Files;
  readonly args?: readonly string[];
  /** Options of `harness run`. */
  readonly options?: readonly string[];
}

/** By name. An object is written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A package that is installed next to an agent. */
export interface Companion {
  readonly package: string;
  /** Folders to put on PATH. */
  readonly folder: (installation: string) => readonly string[];
}

/** A real CLI that the corpus runs: its version, how it reaches the scripted model, and what its output can show. */
export interface Pin {
  readonly package: string;
  readonly version: string;
  /** The CLI's name and version in a fixture. */
  readonly label: string;
  /** The pin whose installation it shares. */
  readonly cache?: string;
  /** The approximate size when unpacked. */
  readonly megabytes: number;
  readonly beside?: readonly Companion[];
  /** The program in its installation folder; undefined if the package has none for this machine. */
  readonly binary: (folder: string) => string | undefined;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Written into the home before a run. */
  readonly files: (url: string) => Files;
  readonly args: (url: string) => readonly string[];
  readonly model?: string;
  readonly mcp?: (server: McpServer, url: string) => Furnishing;
  /** The model's shorthands (docs/reference/model.md) that it has no tool for, and the options of `harness run` that it cannot take. */
  readonly lacks: readonly string[];
  /** The tools that it offers only with permission. A model that knows it asks for them all the same. */
  readonly withholds?: readonly string[];
  readonly showsExitCodes: boolean;
  readonly showsSubagents: boolean;
  /** It has no tool for skills and reads their files like any other. */
  readonly skillsAreFiles: boolean;
  /** The kinds of requests that its usage includes. */
  readonly counts: readonly LedgerEntry["kind"][];
  readonly countsFailures: boolean;
  /** It makes requests for itself during and after its answer. Its usage includes those that ended before. */
  readonly asksAfterwards?: boolean;
  /** It reports the usage of its last step only. */
  readonly reportsLastStep?: boolean;
  /** Token classes that none of its numbers include. */
  readonly omits?: readonly (keyof Tokens)[];
  /** Turns the command as the agent reports it into the command the model asked for. */
  readonly command: (text: string) => string;
  /** Codes of warnings that healthy runs have too. */
  readonly noise: readonly string[];
  /** Our agent's id, if several pins share it. */
  readonly agent?: string;
  /** The agent behind the protocol. Its expectations apply here too. */
  readonly inside?: string;
  /** Overrides over the protocol, by scenario; `all` applies before each. */
  readonly expect?: Readonly<Record<string, Partial<ExpectPart>>>;
  /** The reasons for these overrides. */
  readonly why?: Readonly<Record<string, string>>;
  /** The program's name, if it differs from the agent's. */
  readonly program?: string;
  /** Its major versions, if a different pin covers the others. */
  readonly majors?: readonly number[];
  /** The suffix of its fixtures' names. */
  readonly ending?: string;
  readonly node?: number;
  /** Unpacked, not installed: the program needs none of its dependencies. */
  readonly isBundle?: boolean;
  /** It is part of this package: there is nothing to install. */
  readonly isInside?: boolean;
  /** It runs only the scenarios that name it. */
  readonly isNamed?: boolean;
}

/** By id: the agent's id, or a separate one for a second version of an agent. */
export type Pins = ReadonlyMap<string, Pin>;
