import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { HarnessError, isObject } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { agentOf, reasonOf } from "./agent-shape.ts";
import type { AgentFile } from "./read-agent-file.ts";

export const LARGEST_MODULE = 16 * 1024 * 1024;

/** How long a module may take to load. Without a limit, a module that waits at its top level would hang silently. */
const PATIENCE_MS = 10_000;

/** Runs the module in this process and returns the agent that it exports as `agent` or as its default. */
export async function loadModule(path: string, { sha256 }: AgentFile, patienceMs = PATIENCE_MS): Promise<Agent> {
  const url = pathToFileURL(path);
  url.search = sha256.slice(0, 16); // Node caches modules by URL, so a changed file needs a new one
  const loaded = await imported(path, url.href, patienceMs);
  const inner = loaded["default"];
  return agentOf(loaded["agent"] ?? (isObject(inner) ? (inner["agent"] ?? inner) : inner), { kind: "module", path, sha256 });
}

async function imported(path: string, url: string, patienceMs: number): Promise<Readonly<Record<string, unknown>>> {
  let waiting: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const sentence = `The agent in ${path} did not load within ${patienceMs / 1000} s: something at its top level does not finish.`;
    waiting = setTimeout(() => reject(new HarnessError("usage", sentence)), patienceMs);
  });
  try {
    return await Promise.race([import(url), late]);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("usage", sentenceOf(path, error), { cause: error });
  } finally {
    clearTimeout(waiting);
  }
}

function sentenceOf(path: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    if (/^\.[cm]?ts$/.test(extname(path)))
      return `Node ${process.version} cannot load TypeScript (${path}). Compile it to JavaScript, or use Node 22.18 or newer.`;
    return `Node cannot load a file with the extension of ${path}. An agent is a module (.mjs, .js) or a schema (.json).`;
  }
  return `The agent in ${path} cannot be loaded: ${reasonOf(error)}.`;
}
