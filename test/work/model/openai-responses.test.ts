import { describe, expect, test } from "vitest";
import { dialects, type Json, post, serve } from "./support.ts";

const { path, body } = dialects.openai;

const FULL = `
turns:
  - reasoning: Let me think.
    text: I will look.
    tools:
      - read: it's here.txt
      - write: { path: a.txt, content: "one\\ntwo\\n" }
      - agent: "Help. [[a/x]]"
    usage: { input: 100, cacheRead: 20, cacheWrite: 3, output: 30, reasoning: 5 }
`;

/** Offered as Codex does: a function, a freeform tool, a namespace. */
const tools = [
  { type: "function", name: "exec_command" },
  { type: "custom", name: "apply_patch" },
  {
    type: "namespace",
    name: "multi_agent_v1",
    tools: [{ type: "function", name: "spawn_agent", parameters: { properties: { message: {} } } }],
  },
  { type: "web_search" },
];

const OUTPUT = [
  { type: "reasoning", id: "rs_0001", summary: [{ type: "summary_text", text: "Let me think." }], encrypted_content: expect.any(String) },
  {
    type: "message",
    id: "msg_0001",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: "I will look.", annotations: [] }],
  },
  {
    type: "function_call",
    id: "fc_call_0001_0",
    status: "completed",
    call_id: "call_0001_0",
    name: "exec_command",
    arguments: `{"cmd":"cat 'it'\\\\''s here.txt'"}`,
  },
  {
    type: "custom_tool_call",
    id: "ct_call_0001_1",
    status: "completed",
    call_id: "call_0001_1",
    name: "apply_patch",
    input: "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch",
  },
  {
    type: "function_call",
    id: "fc_call_0001_2",
    status: "completed",
    call_id: "call_0001_2",
    name: "spawn_agent",
    namespace: "multi_agent_v1",
    arguments: '{"message":"Help. [[a/x]]"}',
  },
];

const USAGE = {
  input_tokens: 123,
  input_tokens_details: { cached_tokens: 20, cache_write_tokens: 3 },
  output_tokens: 35,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 158,
};

describe("OpenAI Responses", () => {
  test("a streamed answer: reasoning, text, calls of three kinds, gross usage", async () => {
    const server = await serve([FULL]);
    const { status, events } = await post(server, path, { ...body(["go"]), tools });
    expect(status).toBe(200);
    expect(events.map(({ data }) => data["sequence_number"])).toEqual(events.map((_, index) => index));
    expect(events[0]).toMatchObject({ event: "response.created", data: { response: { id: "resp_0001", status: "in_progress" } } });
    const done = events.filter(({ event }) => event === "response.output_item.done").map(({ data }) => data["item"]);
    expect(done).toEqual(OUTPUT);
    expect(events.at(-1)).toMatchObject({ event: "response.completed", data: { response: { status: "completed", usage: USAGE } } });
    expect(server.ledger[0]?.tools).toEqual(["exec_command", "apply_patch", "spawn_agent"]);
  });

  test("every item is added before it is done, under one index", async () => {
    const server = await serve([FULL]);
    const { events } = await post(server, path, { ...body(["go"]), tools });
    const added: unknown[] = [];
    for (const { event, data } of events) {
      if (event === "response.output_item.added") added.push(data["output_index"]);
      if (event === "response.output_item.done") expect(added.at(-1)).toBe(data["output_index"]);
    }
    expect(added).toEqual([0, 1, 2, 3, 4]);
  });

  test("the same answer without streaming", async () => {
    const server = await serve([FULL]);
    const { text } = await post(server, path, { ...body(["go"], { stream: false }), tools });
    expect(JSON.parse(text) as Json).toMatchObject({ status: "completed", output: OUTPUT, usage: USAGE });
  });

  test("input may be a bare text", async () => {
    const server = await serve([FULL, "turns: [{ text: B. }]"]);
    const reply = await post(server, path, { ...body([]), input: "go [[b]]" });
    expect(dialects.openai.textOf(reply)).toBe("B.");
  });

  test("a call can refer to an earlier tool's answer", async () => {
    const call = '{ name: wait_agent, input: { targets: ["{{agent_id}}"], other: "{{nothing}}" } }';
    const server = await serve([`turns: [{ tools: [${call}] }]`]);
    const said = ["go", { result: '{"agent_id":"first"}' }, { result: '{"agent_id": "second","nickname":"x"}' }];
    const { events } = await post(server, path, body(said));
    const item = events.find(({ event }) => event === "response.output_item.done")?.data["item"];
    expect(item).toMatchObject({ arguments: '{"targets":["second"],"other":"{{nothing}}"}' });
  });

  test.each([
    [401, "invalid_request_error", "invalid_api_key"],
    [429, "rate_limit_error", "rate_limit_exceeded"],
    [500, "server_error", null],
  ])("HTTP %i is a %s", async (status, type, code) => {
    const server = await serve([`turns: [{ fault: { status: ${status}, message: Too bad } }]`]);
    const reply = await post(server, path, body(["go"]));
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toEqual({ error: { message: "Too bad", type, code, param: null } });
  });

  test("rejects a websocket immediately and continues", async () => {
    const server = await serve([FULL]);
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) => {
      const upgrade = request(`${server.url}${path}`, { headers: { connection: "Upgrade", upgrade: "websocket" } });
      upgrade.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      upgrade.on("error", reject);
      upgrade.end();
    });
    expect(status).toBe(426);
    expect((await fetch(server.url)).status).toBe(200);
  });

  describe("A5: the default mode of Codex, whose tools are called in JavaScript", () => {
    const declared = [
      "### `apply_patch`",
      "declare const tools: { apply_patch(input: string): Promise<unknown>; };",
      "### `exec_command`",
      "declare const tools: { exec_command(args: {",
      "  // Shell command to execute.",
      "  cmd: string;",
      "  yield_time_ms?: number;",
      "}): Promise<{",
      "  output: string;",
      "}>; };",
      "declare const tools: { get_goal(args: {}): Promise<unknown>; };",
    ];
    const additional = {
      type: "additional_tools",
      role: "developer",
      tools: [
        {
          type: "namespace",
          name: "functions",
          tools: [
            { type: "custom", name: "exec", description: declared.join("\n") },
            { type: "function", name: "wait" },
          ],
        },
        {
          type: "namespace",
          name: "collaboration",
          tools: [{ type: "function", name: "spawn_agent", parameters: { properties: { task_name: {}, message: {}, fork_turns: {} } } }],
        },
      ],
    };
    const inDefaultMode = (said: Parameters<typeof body>[0], more: readonly Json[] = []): Json => {
      const { input, tools: _, ...rest } = body(said);
      return { ...rest, input: [additional, ...(input as Json[]), ...more] };
    };
    const done = (events: readonly { readonly event: string; readonly data: Json }[]) =>
      events.filter(({ event }) => event === "response.output_item.done").map(({ data }) => data["item"] as Json);

    test("tools in an additional_tools item make a main request, and the calls of a turn share one script", async () => {
      const server = await serve([FULL]);
      const { events } = await post(server, path, inDefaultMode(["go"]));
      expect(server.ledger[0]).toMatchObject({ kind: "main", turn: 0 });
      expect(server.ledger[0]?.tools).toEqual(["exec", "apply_patch", "exec_command", "get_goal", "wait", "spawn_agent"]);
      const calls = done(events).filter(({ call_id }) => call_id !== undefined);
      expect(calls).toMatchObject([
        { type: "custom_tool_call", call_id: "call_0001_0", name: "exec" },
        {
          type: "function_call",
          call_id: "call_0001_2",
          name: "spawn_agent",
          namespace: "collaboration",
          arguments: expect.stringContaining('"task_name":"part"'),
        },
      ]);
      const [first = ""] = String(calls[0]?.["input"]).split("\n");
      expect(first).toBe(
        'const ended = await Promise.allSettled([tools.exec_command({"cmd":"cat \'it\'\\\\\'\'s here.txt\'"}), tools.apply_patch("*** Begin Patch\\n*** Add File: a.txt\\n+one\\n+two\\n*** End Patch")]);',
      );
    });

    test("a tool of an MCP server need not be declared", async () => {
      const server = await serve(["turns: [{ tools: [{ mcp: { server: demo, tool: echo, input: { text: hi } } }] }]"]);
      const { events } = await post(server, path, inDefaultMode(["go"]));
      expect(done(events)).toMatchObject([{ name: "exec", input: expect.stringContaining('tools.mcp__demo__echo({"text":"hi"})') }]);
    });

    test("a task from another agent starts a subagent's script; its answer is not a turn of the parent", async () => {
      const server = await serve([
        'turns: [{ tools: [{ agent: "Help. [[a/x]]" }] }, { text: Done. }]\nsubagents: { x: { turns: [{ text: Helped. }] } }',
      ]);
      const task = {
        type: "agent_message",
        author: "/root",
        content: [
          { type: "input_text", text: "Message Type: NEW_TASK\nPayload:\n" },
          { type: "encrypted_content", encrypted_content: "Help. [[a/x]]" },
        ],
      };
      const answer = { type: "agent_message", content: [{ type: "input_text", text: "Message Type: FINAL_ANSWER\nPayload:\nHelped." }] };
      const call = { type: "function_call", call_id: "call_0001_0", name: "spawn_agent" };
      const output = { type: "function_call_output", call_id: "call_0001_0", output: "{}" };
      await post(server, path, inDefaultMode([], [task]));
      await post(server, path, inDefaultMode(["go [[a]]"], [call, output, answer]));
      expect(server.ledger).toMatchObject([
        { kind: "subagent", marker: "a/x", turn: 0 },
        { kind: "main", marker: "a", turn: 1 },
      ]);
    });
  });
});
