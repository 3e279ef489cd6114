import { afterAll } from "vitest";
import { readModelScenario } from "../../../src/work/model/read-model-scenario.ts";
import { type ModelOptions, type ModelServer, serveModel } from "../../../src/work/model/serve-model.ts";

/** Serves these scenarios, named `a`, `b`, …, until the test file ends. */
export async function serve(texts: readonly string[], options: Partial<ModelOptions> = {}): Promise<ModelServer> {
  const scenarios = texts.map((text, index) => readModelScenario(text, `${"abcdefgh"[index]}.yaml`));
  const server = await serveModel({ scenarios, ...options });
  servers.push(server);
  return server;
}

const servers: ModelServer[] = [];

afterAll(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

export type Json = Record<string, unknown>;

export interface ServerSentEvent {
  /** Empty in dialects that do not name events. */
  readonly event: string;
  /** Empty if the data is not JSON. */
  readonly data: Json;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly events: readonly ServerSentEvent[];
  /** The connection broke before the answer was complete. */
  readonly isCut: boolean;
}

export async function post(server: ModelServer, path: string, body: unknown): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  let text = "";
  let isCut = false;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  } catch {
    isCut = true;
  }
  return { status: response.status, text, events: eventsOf(text), isCut };
}

function eventsOf(text: string): readonly ServerSentEvent[] {
  return text.split("\n\n").flatMap((block) => {
    const match = /^(?:event: ([^\n]+)\n)?data: ([^\n]+)$/.exec(block);
    if (match === null) return [];
    const [, event = "", data = ""] = match;
    return [{ event, data: data.startsWith("{") ? (JSON.parse(data) as Json) : {} }];
  });
}

/** The conversation so far, in any dialect: each string is a user's message, each `turn` one of the model's. */
type Said = string | typeof turn | { readonly result: string };
export const turn = Symbol("a turn of the model");

interface Asked {
  readonly stream?: boolean;
  readonly tools?: readonly string[];
}

export const dialects = {
  anthropic: {
    path: "/v1/messages",
    body: (said: readonly Said[], { stream = true, tools = ["Bash", "Read"] }: Asked = {}): Json => ({
      model: "scripted-a",
      stream,
      tools: tools.map((name) => ({ name })),
      messages: said.map((each) => {
        if (each === turn) return { role: "assistant", content: [{ type: "text", text: "said" }] };
        const block = typeof each === "string" ? { type: "text", text: each } : { type: "tool_result", content: each.result };
        return { role: "user", content: [block] };
      }),
    }),
    textOf: ({ events }: Reply): string => events.map(({ data }) => (data as { delta?: { text?: string } }).delta?.text ?? "").join(""),
  },
  openai: {
    path: "/v1/responses",
    body: (said: readonly Said[], { stream = true, tools = ["exec_command"] }: Asked = {}): Json => ({
      model: "scripted-o",
      stream,
      tools: tools.map((name) => ({ type: "function", name })),
      input: said.map((each) => {
        if (each === turn) return { type: "message", role: "assistant", content: [{ type: "output_text", text: "said" }] };
        if (typeof each === "string") return { type: "message", role: "user", content: [{ type: "input_text", text: each }] };
        return { type: "function_call_output", call_id: "c", output: each.result };
      }),
    }),
    textOf: ({ events }: Reply): string =>
      events
        .filter(({ event }) => event === "response.output_text.delta")
        .map(({ data }) => String(data["delta"]))
        .join(""),
  },
  chat: {
    path: "/v1/chat/completions",
    body: (said: readonly Said[], { stream = true, tools = ["bash", "read"] }: Asked = {}): Json => ({
      model: "scripted-c",
      stream,
      tools: tools.map((name) => ({ type: "function", function: { name } })),
      messages: said.map((each) => {
        if (each === turn) return { role: "assistant", content: "said" };
        if (typeof each === "string") return { role: "user", content: each };
        return { role: "tool", tool_call_id: "c", content: [{ type: "text", text: each.result }] };
      }),
    }),
    textOf: ({ events }: Reply): string =>
      events.map(({ data }) => (data as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ?? "").join(""),
  },
  gemini: {
    path: "/v1beta/models/scripted-g:streamGenerateContent",
    body: (said: readonly Said[], { tools = ["run_shell_command"] }: Asked = {}): Json => ({
      tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
      contents: said.map((each) => {
        if (each === turn) return { role: "model", parts: [{ text: "said" }] };
        if (typeof each === "string") return { role: "user", parts: [{ text: each }] };
        return { role: "user", parts: [{ functionResponse: { name: "x", response: { output: each.result } } }] };
      }),
    }),
    textOf: ({ events }: Reply): string =>
      events
        .map(({ data }) =>
          geminiParts(data)
            .map(({ text, thought }) => (thought === true ? "" : (text ?? "")))
            .join(""),
        )
        .join(""),
  },
};

export function geminiParts(data: Json): readonly { text?: string; thought?: boolean; functionCall?: Json }[] {
  type Candidate = { content: { parts: { text?: string; thought?: boolean; functionCall?: Json }[] } };
  return (data as { candidates?: Candidate[] }).candidates?.[0]?.content.parts ?? [];
}

/** The same request without streaming: one dialect decides it in the path, the others in the body. */
export function whole(path: string, body: Json): [path: string, body: Json] {
  return [path.replace(":streamGenerateContent", ":generateContent"), { ...body, stream: false }];
}
