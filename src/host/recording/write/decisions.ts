import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { plannedCall } from "../../../pure/agents/index.ts";
import { errorWords, HarnessError, objectOf, parseJson, wordOf } from "../../../pure/base/index.ts";
import type { FactBody } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import { byLevel, type Deciders, decider, type PermissionRequest } from "../../permissions/index.ts";
import { hideSecrets } from "../../secrets/index.ts";
import { endStream, own, type SafeText, socketServer } from "../../sink/index.ts";
import type { DecisionPlace } from "./decision-place.ts";

/** The answer over the wire: `null` leaves the decision to the agent's own rules. */
type WireAnswer = { readonly decision: "once" | "deny"; readonly reason: string } | null;

/** The longest request. A call with more is denied. */
const LONGEST = 64 * 2 ** 20;
/** Calls that wait for an answer at the same time. */
const MOST = 1024;
/** How long a request may take to arrive. */
const PATIENCE_MS = 30_000;

export interface OpenDecisions {
  readonly close: () => void;
  /** Whether a hook has asked yet. */
  readonly isAsked: () => boolean;
}

/** Answers until it is closed; after that, every call is denied. Our own agents know their level, and print each decision themselves. */
export async function openDecisions(
  { folder, socket, speech }: DecisionPlace,
  task: Task,
  deciders: Deciders,
  record: (fact: FactBody) => void,
): Promise<OpenDecisions> {
  mkdirSync(folder, { mode: 0o700 });
  const server = socketServer();
  server.maxConnections = MOST;
  const sockets = new Set<Socket>();
  const gone = new AbortController();
  const decide = decider(task, deciders);
  let isAsked = false;

  async function answer(request: PermissionRequest): Promise<WireAnswer> {
    const verdict = (await decide(request, gone.signal)) ?? (speech === "socket" ? undefined : levelVerdict(request, task));
    if (gone.signal.aborted) return { decision: "deny", reason: "The run has ended." };
    if (verdict === undefined) return null;
    const { decision, reason } = verdict;
    const { callId, tool } = request;
    if (speech !== "socket") record({ type: "permission-decision", ...(callId && { callId }), ...(tool && { tool }), decision, reason });
    return { decision: decision === "allow" ? "once" : "deny", reason };
  }

  function close(): void {
    gone.abort();
    server.close();
    for (const client of sockets) client.destroy();
    rmSync(folder, { recursive: true, force: true });
  }

  server.on("connection", (client) => {
    isAsked = true;
    sockets.add(client);
    client.on("error", () => {}).on("close", () => sockets.delete(client));
    serve(client, async (text) => answer(requestOf(text, task.cwd, speech)));
  });
  try {
    server.listen(socket);
    await once(server, "listening");
  } catch (error) {
    close();
    throw new HarnessError("start", `Cannot listen for permission requests: ${errorWords(error)}.`, { cause: error });
  }
  return { close, isAsked: () => isAsked };
}

/** One request is one line, and so is its answer. Whatever fails closes the connection, which denies. */
function serve(client: Socket, answer: (text: string) => Promise<WireAnswer>): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => client.destroy(), PATIENCE_MS);
  client.on("close", () => clearTimeout(late));
  client.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > LONGEST) return client.destroy();
    chunks.push(chunk);
    if (chunk.at(-1) !== 10) return undefined;
    clearTimeout(late);
    return void answer(Buffer.concat(chunks).toString("utf8")).then(
      (given) => endStream(client, own`${spelledOut(given)}\n`),
      () => client.destroy(),
    );
  });
}

/** A reason may repeat a rule or a command, and the agent may print it. */
function spelledOut(given: WireAnswer): SafeText {
  if (given === null) return own`null`;
  const decision = given.decision === "once" ? own`once` : own`deny`;
  return own`{"decision":"${decision}","reason":${hideSecrets(JSON.stringify(given.reason))}}`;
}

function askedIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new HarnessError("input", `A hook's request cannot be read: ${errorWords(error)}.`, { cause: error });
  }
}

/** What Claude Code and Codex send to a hook. Codex's id is not that of its items. */
export function requestOf(text: string, cwd: string | undefined, speech: string): PermissionRequest {
  const asked = objectOf(askedIn(text)) ?? {};
  const tool = wordOf(asked["tool_name"]);
  const input = objectOf(asked["tool_input"]) ?? {};
  const callId = speech === "silent" ? undefined : wordOf(asked["tool_use_id"]);
  const sessionId = wordOf(asked["session_id"]);
  const place = wordOf(asked["cwd"]) ?? cwd;
  return { sessionId, callId, tool, ...plannedCall(tool ?? "", input, place), input, directory: place, options: [] } as PermissionRequest;
}

/** At the level `default`, the agent's own rules decide. */
function levelVerdict(request: PermissionRequest, { permissions = "default" }: Task) {
  return permissions === "default" ? undefined : byLevel(request, permissions);
}
