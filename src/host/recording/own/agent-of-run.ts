import { findAgent, knownAgent } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent, AgentOrigin } from "../../../pure/pipeline/index.ts";
import { dataDirectory, isRemembered, type RunManifest } from "../format/index.ts";
import { LARGEST_MODULE, loadModule } from "./load-module.ts";
import { readAgentFile } from "./read-agent-file.ts";

/**
 * The agent that a recording is to be read with. A schema is in the recording itself. A module is a program: it is run only if the user
 * of this data directory has run an agent with it before, and it is still what it was then, byte for byte. Anybody can write a run.json.
 */
export async function agentOfRun(manifest: RunManifest, env: NodeJS.ProcessEnv = process.env): Promise<Agent> {
  const { agent: id, agentFile, like } = manifest;
  if (like !== undefined) {
    const { product, plain, inside } = knownAgent(id) ?? {};
    return { ...findAgent(like), id, product, plain, inside };
  }
  if (agentFile === undefined) return ourAgent(manifest);
  if (agentFile.kind === "module") return { ...(await moduleOf(manifest, agentFile, env)), id };
  const { keptSchema } = await import("./load-schema.ts");
  return { ...keptSchema({ ...agentFile, schema: agentFile.schema ?? {} }), id };
}

function ourAgent({ id: run, agent }: RunManifest): Agent {
  const known = knownAgent(agent);
  if (known !== undefined) return known;
  throw new HarnessError("input", `The run ${run} was recorded with an agent that is not known here ("${shown(agent)}"); ${REMEDY}.`, {
    option: "agent",
  });
}

const REMEDY = "say who reads it: an id or a file as `agent`; generic reads anything";

async function moduleOf({ id: run }: RunManifest, { path, sha256 }: AgentOrigin, env: NodeJS.ProcessEnv): Promise<Agent> {
  const refused = (why: string) =>
    new HarnessError(
      "input",
      `The run ${run} was recorded with the agent in ${shown(path)}, ${why}; its views are as they were; ${REMEDY}.`,
      { option: "agent" },
    );
  if (!isRemembered(dataDirectory(env), { path, sha256 })) throw refused("a program that you have not run here yourself");
  let file: ReturnType<typeof readAgentFile>;
  try {
    file = readAgentFile(path, LARGEST_MODULE);
  } catch (error) {
    if (error instanceof HarnessError) throw refused("which cannot be read any more");
    throw error;
  }
  if (file.sha256 !== sha256) throw refused("which has been changed since");
  return loadModule(path, file);
}

function shown(name: string): string {
  return name.slice(0, 300).replace(/\p{C}/gu, "?");
}
