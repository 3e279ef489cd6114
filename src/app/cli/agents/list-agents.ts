import { registeredAgents } from "../../../host/config/index.ts";
import { agentNamed } from "../../../host/recording/index.ts";
import { agents } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { printList, sentenceOf } from "../../terminal/index.ts";
import { loadSettings, programOf } from "../options/index.ts";

/** `harness agents`: the built-in agents, then those of the user's settings. One that cannot be loaded shows the reason. */
export async function listAgents(json: boolean): Promise<void> {
  const { config } = loadSettings();
  const registered = registeredAgents(config);
  const row = (agent: Agent) => ({
    id: agent.id,
    title: agent.title,
    aliases: agent.aliases ?? [],
    binaries: agent.binaries,
    seen: agent.seen ?? null,
    installed: programOf(agent, config.agents.get(agent.id)?.binary).path,
    ...(registered.size === 0 ? {} : { file: agent.origin?.path ?? null }),
  });
  const rows = Object.values<Agent>(agents).map(row);
  for (const [id, file] of registered) {
    try {
      rows.push(row(await agentNamed(id, registered)));
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      rows.push({ id, title: sentenceOf(error), aliases: [], binaries: [], seen: null, installed: null, file });
    }
  }
  await printList(rows, { json, optional: ["aliases", "binaries"] });
}
