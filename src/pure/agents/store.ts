import { type JsonObject, objectOf, parseObject, wordOf } from "../base/index.ts";
import { type Agent, consumed, type LineTranslator, type RunContext, type Translated } from "../pipeline/index.ts";

/** A directory that may hold sessions: under the home, or under a variable that moves it. */
export interface StorePlace {
  /** Below the home directory: `.claude/projects`. */
  readonly home: string;
  /** The variable that replaces the beginning of `home`, and the rest below it: CLAUDE_CONFIG_DIR and `projects`. */
  readonly moved?: readonly (readonly [variable: string, below: string])[];
}

/** What the first records of a session's file say about it. */
export interface SessionHead {
  /** The agent's own id of the session. */
  readonly session: string;
  /** Distinguishes sessions whose ids are not unique: Goose counts them per day and database. */
  readonly unique?: string | undefined;
  /** For the file of a subagent: the session that started it. */
  readonly parent?: string | undefined;
  readonly cwd?: string | undefined;
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
  /** The session whose beginning this one repeats. */
  readonly forkOf?: string | undefined;
  /** When a session in a database last changed, in epoch milliseconds. A file's own time says it for the others. */
  readonly changedAt?: number | undefined;
}

/**
 * How a file holds sessions: one JSON object per line; one JSON text; a JSON text around a list of records, which is rewritten with each;
 * or an SQLite database of many sessions. The records of the last two become lines.
 */
export type StoreKind = "lines" | "document" | "list" | "database";

/** The tables of a database whose rows are a session. All others, such as those of accounts, are not read. */
export interface StoreTables {
  /** One row per session, and the column with its id. */
  readonly sessions: readonly [table: string, id: string];
  /** Tables with rows of a session, and the column that names the session. A table may be missing. */
  readonly rows: readonly (readonly [table: string, session: string])[];
}

/** The sessions that an agent keeps on disk: their places, which files belong together, and what their records mean. */
export interface Store {
  /** The agent whose sessions they are. */
  readonly agent: Agent;
  readonly places: readonly StorePlace[];
  /**
   * Whether a file at this path below a place is part of a session. Undefined: not a file we read. Credentials and settings are never
   * part of a session.
   */
  kind(path: string): StoreKind | undefined;
  /** Names of directories without sessions, and with many files. */
  readonly without?: readonly string[];
  /** For a list: its records, and what is around them, which is passed to `document` before the first. */
  split?(document: JsonObject): { readonly about: JsonObject; readonly records: readonly JsonObject[] };
  /** For a database. Each row is a record: see `rowLine`. */
  readonly tables?: StoreTables;
  /** The path of the session's main file, for a file that belongs to it by its name alone. */
  mainOf?(path: string): string | undefined;
  /** Reads the first records of a file, or of a session in a database. Undefined: not a session. */
  head(path: string, records: readonly JsonObject[]): SessionHead | undefined;
  /** The time of a record, in epoch milliseconds. */
  at(record: JsonObject): number | undefined;
  open(run: RunContext): StoreTranslator;
}

/** Reads the records of all files of a session, in the order of their times. */
export interface StoreTranslator {
  /** A record, and the path of its file. */
  push(record: JsonObject, path: string): readonly Translated[];
  /** A file that is one JSON text. */
  document?(value: JsonObject, path: string): readonly Translated[];
  end(): readonly Translated[];
}

/** The id of the format of a store; a recording that was imported names it in `like`. */
export function storeFormatId(agent: Agent): string {
  return `${agent.id}-store`;
}

/** In a recording, this line says which file the following lines are from. A document is in it as text, verbatim. */
export const FILE_KEY = "harness-file";

export function fileLine(path: string, document?: string): string {
  return JSON.stringify({ [FILE_KEY]: path, ...(document !== undefined && { document }) });
}

/** A row of a database as a line of the recording. */
export const ROW_KEY = "harness-row";

export function rowLine(table: string, row: unknown): string {
  return JSON.stringify({ [ROW_KEY]: table, row });
}

/** The table and the columns of a record that is a row. */
export function rowOf(record: JsonObject): { readonly table: string; readonly row: JsonObject } | undefined {
  const table = wordOf(record[ROW_KEY]);
  const row = objectOf(record["row"]);
  return table === undefined || row === undefined ? undefined : { table, row };
}

/** A store as a format: what is recorded of an imported session is read like the output of an agent. */
export function storeFormat(store: Store): Agent {
  const { agent } = store;
  return {
    id: storeFormatId(agent),
    title: `${agent.title} (sessions on disk)`,
    binaries: [],
    ...(agent.product !== undefined && { product: agent.product }),
    ...(agent.seen !== undefined && { seen: agent.seen }),
    ...(agent.withheld !== undefined && { withheld: agent.withheld }),
    command: () => ({ args: [] }),
    open(run): LineTranslator {
      const translator = store.open(run);
      let path = "";
      return {
        push(line) {
          const file = line[FILE_KEY];
          if (typeof file !== "string") return answer(translator.push(line, path));
          path = file;
          if (typeof line["document"] !== "string") return consumed;
          const value = parseObject(line["document"]);
          if (value === undefined || translator.document === undefined) return [{ type: "unknown", raw: { [FILE_KEY]: file } }];
          return answer(translator.document(value, file));
        },
        end: () => translator.end(),
      };
    },
  };
}

/** A store's records are many, and most say nothing new: no answer means that it was read. */
function answer(out: readonly Translated[]): readonly Translated[] {
  return out.length === 0 ? consumed : out;
}

/** Epoch milliseconds of a time as ISO 8601. */
export function isoTime(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
