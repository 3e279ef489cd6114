import type { LedgerEntry } from "../model/index.ts";
import type { ExpectPart } from "./corpus-scenario.ts";

/** What makes an agent know an MCP server, or one model: variables, files of its home, words of its command line. */
interface Furnishing {
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Files;
  readonly args?: readonly string[];
  /** Of `harness run`. */
  readonly options?: readonly string[];
}

/** By name; what is no text is written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A package that is installed beside an agent. */
export interface Companion {
  readonly package: string;
  /** What PATH needs. */
  readonly folder: (installation: string) => readonly string[];
}

/** A real CLI that the corpus runs against: which version, how it reaches the scripted model, what it can know. */
export interface Pin {
  readonly package: string;
  readonly version: string;
  /** How a fixture names it. */
  readonly label: string;
  /** The pin whose installation it shares. */
  readonly cache?: string;
  /** Unpacked, about. */
  readonly megabytes: number;
  readonly beside?: readonly Companion[];
  /** Its program in a folder where the package was installed; undefined where that has none for this machine. */
  readonly binary: (folder: string) => string | undefined;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Written into the home before a run. */
  readonly files: (url: string) => Files;
  readonly args: (url: string) => readonly string[];
  readonly model?: string;
  /** What makes it know an MCP server. */
  readonly mcp?: (server: McpServer, url: string) => Furnishing;
  /** Words of the model (docs/reference/model.md) that it has no tool for, and options of `harness run` that it has no way to take. */
  readonly lacks: readonly string[];
  /** How a command ended is in its output. */
  readonly tellsExitCodes: boolean;
  /** What its subagents do is in its output. */
  readonly showsSubagents: boolean;
  /** It has no tool for skills: their files are read like any other. */
  readonly skillsAreFiles: boolean;
  /** Requests of these kinds are in the usage it reports. */
  readonly counts: readonly LedgerEntry["kind"][];
  /** A run that failed reports its usage too. */
  readonly countsFailures: boolean;
  /** The command as the model asked for it, given as the agent tells it. */
  readonly command: (text: string) => string;
  /** Codes of warnings that healthy runs have too. */
  readonly noise: readonly string[];
  /** Our agent, where the pin has a name of its own because another version of the same is pinned too. */
  readonly agent?: string;
  /** The agent behind the protocol: what is expected of it holds here too. */
  readonly inside?: string;
  /** What is otherwise on this side of the protocol, by scenario; `all` before each. */
  readonly expect?: Readonly<Record<string, Partial<ExpectPart>>>;
  /** The reasons of these. */
  readonly why?: Readonly<Record<string, string>>;
  /** The name of its program, where it is not the agent's. */
  readonly program?: string;
  /** Its major versions, where other ones are another pin's. */
  readonly majors?: readonly number[];
  /** Of the names of its fixtures. */
  readonly ending?: string;
  /** The least Node it runs on. */
  readonly node?: number;
  /** Its program needs none of its dependencies: it is unpacked, not installed. */
  readonly isBundle?: boolean;
  /** It is part of this package: nothing is installed. */
  readonly isInside?: boolean;
  /** Scenarios are for it that name it, and no others. */
  readonly isNamed?: boolean;
}

/** By their ids: the agent's own, or one of their own for a second version of an agent. */
export type Pins = ReadonlyMap<string, Pin>;
