// What a client of the Agent Client Protocol says, in order: one session, one prompt.
import { type ClientContext, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { type JsonObject, objectOf, version, wordOf } from "../../../pure/base/index.ts";
import type { FactBody } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import { type Choice, loginFor, modeFor, modelFor } from "./choose.ts";
import { mcpParameter } from "./mcp-parameter.ts";

const AUTH_REQUIRED = -32000;

export interface DialogOptions {
  readonly task: Task;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly asks: boolean;
  readonly record: (fact: FactBody) => void;
  readonly onSession: (sessionId: string) => void;
}

/** Resolves when the prompt is answered. Rejects with the agent's error, or if the connection closes. */
export async function dialog(agent: ClientContext, { task, env, asks, record, onSession }: DialogOptions): Promise<void> {
  const ask = async (method: string, params: object): Promise<JsonObject> => objectOf(await agent.request<unknown>(method, params)) ?? {};
  const warn = (code: string, message: string) => record({ type: "warning", code, message });

  const hello = await ask("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "harness", title: "harness", version },
  });
  if (hello["protocolVersion"] !== PROTOCOL_VERSION) {
    const message = `The agent speaks version ${JSON.stringify(hello["protocolVersion"] ?? null)} of the protocol, not ${PROTOCOL_VERSION}.`;
    record({ type: "error", code: "protocol-version", message });
    return;
  }
  const session = await loggedIn(() => opened(hello));
  const sessionId = task.resume ?? wordOf(session["sessionId"]);
  if (sessionId === undefined) {
    record({ type: "error", code: "no-session", message: "The agent opened a session but did not send its id." });
    return;
  }
  onSession(sessionId);
  const mode = modeFor(task, session);
  if (mode !== null || !asks) await chosen(mode, "mode", "no mode that asks for permission; its actions are not held back");
  if (task.model !== undefined) await chosen(modelFor(task.model, session), "model", "no way to choose a model; it uses its own");
  await ask("session/prompt", { sessionId, prompt: [{ type: "text", text: task.prompt }] });

  /** Opens the earlier session if the agent can. What it then replays is history. */
  function opened({ agentCapabilities }: JsonObject): Promise<JsonObject> {
    const capabilities = objectOf(agentCapabilities);
    const room = { cwd: task.cwd ?? "/", mcpServers: (task.mcp ?? []).map(mcpParameter) };
    if (task.resume === undefined) return ask("session/new", room);
    const canResume = objectOf(capabilities?.["sessionCapabilities"])?.["resume"] !== undefined;
    if (!canResume)
      record({ type: "warning", code: "history", message: "The agent replays the history of its session; the replay is left out." });
    return ask(canResume ? "session/resume" : "session/load", { sessionId: task.resume, ...room });
  }

  /** Agents report with an error that no one is logged in. */
  async function loggedIn<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      const methodId = error instanceof RequestError && error.code === AUTH_REQUIRED ? loginFor(hello, env) : undefined;
      if (methodId === undefined) throw error;
      await ask("authenticate", { methodId });
      return attempt();
    }
  }

  async function chosen(choice: Choice | undefined | null, code: string, lack: string): Promise<void> {
    if (choice === null) warn(code, `The agent has ${lack}.`);
    else if (choice !== undefined) await ask(choice.method, { sessionId, ...choice.params });
  }
}
