import { asForeign, findAgent, knownAgent } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent, AgentOrigin } from "../../../pure/pipeline/index.ts";
import { dataDirectory, isRemembered, type RunManifest } from "../format/index.ts";
import { LARGEST_MODULE, loadModule } from "./load-module.ts";
import { readAgentFile } from "./read-agent-file.ts";

/**
 * The agent that reads a recording. A schema is stored in the recording itself. A module is a program: it runs only if the user of this
 * data directory has run an agent with it before and it has not changed since, byte for byte. Anyone can write a run.json.
 */
export async function agentOfRun(manifest: RunManifest, env: NodeJS.ProcessEnv = process.env): Promise<Agent> {
  const { agent: id, agentFile, like } = manifest;
  if (like !== undefined) return readLike(id, like);
  if (agentFile === undefined) return ourAgent(manifest);
  if (agentFile.kind === "module") return { ...(await moduleOf(manifest, agentFile, env)), id };
  const { keptSchema } = await import("./load-schema.ts");
  return { ...keptSchema({ ...agentFile, schema: agentFile.schema ?? {} }), id };
}

/** An agent whose output is read like that of another one, or like its own sessions on disk. */
export function readLike(id: string, like: string): Agent {
  const { product, plain, inside } = knownAgent(id) ?? {};
  return { ...findAgent(like), id, product, plain, inside };
}

function ourAgent({ id: run, agent, command }: RunManifest): Agent {
  const known = knownAgent(agent);
  if (known !== undefined) return command?.foreign === true ? asForeign(known) : known;
  throw new HarnessError("input", `The run ${run} was recorded with an agent that is not known here ("${shown(agent)}"). ${REMEDY}`, {
    option: "agent",
  });
}

const REMEDY = "Choose who reads it with `agent`: an id or a file; generic reads anything.";

async function moduleOf({ id: run }: RunManifest, { path, sha256 }: AgentOrigin, env: NodeJS.ProcessEnv): Promise<Agent> {
  const rejected = (why: string) =>
    new HarnessError(
      "input",
      `The run ${run} was recorded with the agent in ${shown(path)}, ${why}. Its stored views are unchanged. ${REMEDY}`,
      { option: "agent" },
    );
  if (!isRemembered(dataDirectory(env), { path, sha256 })) throw rejected("a program that you have not run here yourself");
  let file: ReturnType<typeof readAgentFile>;
  try {
    file = readAgentFile(path, LARGEST_MODULE);
  } catch (error) {
    if (error instanceof HarnessError) throw rejected("which can no longer be read");
    throw error;
  }
  if (file.sha256 !== sha256) throw rejected("which has changed since");
  return loadModule(path, file);
}

function shown(name: string): string {
  return name.slice(0, 300).replace(/\p{C}/gu, "?");
}
