import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findAgent, isAgentFile } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import type { unreadKeys as unreadKeysOf } from "./adapter-schema.ts";
import { LARGEST_MODULE, loadModule } from "./load-module.ts";
import { readAgentFile } from "./read-agent-file.ts";

/** A schema is a page or two; it is kept with every recording. */
const LARGEST_SCHEMA = 256 * 1024;

/**
 * An agent of somebody's own, from its file: a module that exports one (`agent`, or the default), which is run in this process, or a
 * schema (`.json`). Rejects with a `HarnessError` of one sentence where it is neither, or lacks something.
 */
export async function loadAgent(file: string | URL): Promise<Agent> {
  const path = resolve(file instanceof URL ? fileURLToPath(file) : file);
  if (!/\.json$/i.test(path)) return loadModule(path, readAgentFile(path, LARGEST_MODULE));
  const read = readAgentFile(path, LARGEST_SCHEMA);
  const { loadSchema } = await import("./load-schema.ts"); // the schema library is large, and few need it
  return loadSchema(path, read);
}

/** By id or alias, by a name that the user's settings have given to a file, or by the file itself. */
export async function agentNamed(name: string, registered: ReadonlyMap<string, string> = new Map()): Promise<Agent> {
  const file = registered.get(name);
  if (file === undefined) return isAgentFile(name) ? loadAgent(name) : findAgent(name, [...registered.keys()]);
  const agent = await loadAgent(file);
  if (agent.id === name) return agent;
  throw new HarnessError("usage", `The agent in ${file} calls itself ${agent.id}; call its table [agents.${agent.id}] in your settings.`);
}

/** The keys of a schema that have no meaning. */
export async function unreadKeys(schema: Parameters<typeof unreadKeysOf>[0]): Promise<ReturnType<typeof unreadKeysOf>> {
  return (await import("./adapter-schema.ts")).unreadKeys(schema);
}
