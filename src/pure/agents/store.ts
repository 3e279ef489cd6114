import { type JsonObject, parseObject } from "../base/index.ts";
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
  /** For the file of a subagent: the session that started it. */
  readonly parent?: string | undefined;
  readonly cwd?: string | undefined;
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
  /** The session whose beginning this one repeats. */
  readonly forkOf?: string | undefined;
}

/** The sessions that an agent keeps on disk: their places, which files belong together, and what their records mean. */
export interface Store {
  /** The agent whose sessions they are. */
  readonly agent: Agent;
  readonly places: readonly StorePlace[];
  /**
   * Whether a file at this path below a place is part of a session: `lines` holds one JSON object per line, `document` is one JSON text.
   * Undefined: not a file we read. Credentials and settings are never part of a session.
   */
  kind(path: string): "lines" | "document" | undefined;
  /** The path of the session's main file, for a file that belongs to it by its name alone. */
  mainOf?(path: string): string | undefined;
  /** Reads the first objects of a file of lines. Undefined: not a session. */
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
