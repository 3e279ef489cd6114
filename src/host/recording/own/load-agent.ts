import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findAgent, isAgentFile } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import type { unreadKeys as unreadKeysOf } from "./adapter-schema.ts";
import { LARGEST_MODULE, loadModule } from "./load-module.ts";
import { readAgentFile } from "./read-agent-file.ts";

/** A schema is a page or two, and every recording stores a copy. */
const LARGEST_SCHEMA = 256 * 1024;

/**
 * Loads a user-defined agent from its file: a module that exports one (`agent`, or the default export) and runs in this process, or a
 * schema (`.json`). Rejects with a one-sentence `HarnessError` if the file is neither or is incomplete.
 */
export async function loadAgent(file: string | URL): Promise<Agent> {
  const path = resolve(file instanceof URL ? fileURLToPath(file) : file);
  if (!/\.json$/i.test(path)) return loadModule(path, readAgentFile(path, LARGEST_MODULE));
  const read = readAgentFile(path, LARGEST_SCHEMA);
  const { loadSchema } = await import("./load-schema.ts"); // the schema library is large, and few need it
  return loadSchema(path, read);
}

/** Finds an agent by id or alias, by a name from the user's settings, or by its file. */
export async function agentNamed(name: string, registered: ReadonlyMap<string, string> = new Map()): Promise<Agent> {
  const file = registered.get(name);
  if (file === undefined) return isAgentFile(name) ? loadAgent(name) : findAgent(name, [...registered.keys()]);
  const agent = await loadAgent(file);
  if (agent.id === name) return agent;
  throw new HarnessError(
    "usage",
    `The agent in ${file} has the id ${agent.id}. Rename its table to [agents.${agent.id}] in your settings.`,
  );
}

/** The keys of a schema that have no meaning. */
export async function unreadKeys(schema: Parameters<typeof unreadKeysOf>[0]): Promise<ReturnType<typeof unreadKeysOf>> {
  return (await import("./adapter-schema.ts")).unreadKeys(schema);
}
