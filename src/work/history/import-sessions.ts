import { homedir } from "node:os";
import { resolve } from "node:path";
import { dataOf } from "../../host/recording/index.ts";
import { errorWords } from "../../pure/base/index.ts";
import { type FindOptions, type FoundSession, findSessions } from "./find-sessions.ts";
import { earlierImports, importSession } from "./import-session.ts";
import type { Imported, ImportOptions } from "./imported.ts";

/** Finds sessions and makes a recording of each. A session that cannot be read fails alone. */
export async function* importSessions(options: ImportOptions = {}): AsyncGenerator<Imported, void> {
  const environment = options.environment ?? process.env;
  const home = options.home ?? environment["HOME"] ?? homedir();
  const where: FindOptions = { agents: options.agents, paths: options.paths, environment, home };
  const { sessions, skipped, unread: others } = findSessions(where);
  const data = dataOf(options);
  const known = earlierImports(data);
  for (const { store, path, reason } of skipped) yield { ...unread(store.agent.id, path), state: "failed", run: null, reason };
  for (const { agent, path } of others)
    yield { ...unread(agent, path), files: 0, state: "unsupported", run: null, reason: `Sessions of ${agent} are not read.` };
  for (const session of byAge(sessions)) {
    if (!isWanted(session, options)) continue;
    try {
      yield {
        ...aboutOf(session),
        ...(options.dryRun === true ? ({ state: "found", run: null } as const) : await importSession(session, data, known, options)),
      };
    } catch (error) {
      yield { ...aboutOf(session), state: "failed", run: null, reason: errorWords(error) };
    }
  }
}

/** Runs are listed in the order in which they were recorded: the session that changed last comes last. */
function byAge(sessions: readonly FoundSession[]): readonly FoundSession[] {
  const changed = ({ files }: FoundSession) => Math.max(...files.map(({ mtimeMs }) => mtimeMs));
  return [...sessions].sort((a, b) => changed(a) - changed(b));
}

/** A session of a directory that is wanted, and that changed recently enough. */
function isWanted({ head, files }: FoundSession, { since, project }: ImportOptions): boolean {
  if (since !== undefined && files.every(({ mtimeMs }) => mtimeMs < since)) return false;
  if (project === undefined) return true;
  const wanted = resolve(project);
  return head.cwd === wanted || (head.cwd?.startsWith(wanted === "/" ? "/" : `${wanted}/`) ?? false);
}

const LONGEST_PROMPT = 200;

function aboutOf({ store, head, files }: FoundSession): Omit<Imported, "state" | "run"> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const prompt = head.prompt?.slice(0, LONGEST_PROMPT) ?? null;
  return { agent: store.agent.id, session: head.session, project: head.cwd ?? null, prompt, files: files.length, bytes };
}

function unread(agent: string, path: string): Omit<Imported, "state" | "run"> {
  return { agent, session: path, project: null, prompt: null, files: 1, bytes: 0 };
}
