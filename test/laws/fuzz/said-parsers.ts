import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseLimits } from "../../../src/app/cli/options/limits.ts";
import * as options from "../../../src/app/cli/options/option-values.ts";
import { readMcp } from "../../../src/app/cli/options/read-mcp.ts";
import { readKeys } from "../../../src/app/tui/watch/read-keys.ts";
import { rangesOf } from "../../../src/app/web/event-lines.ts";
import { ignoring } from "../../../src/host/workspace/ignore.ts";
import { parseDuration } from "../../../src/pure/base/duration.ts";
import { isLike, partsOf } from "../../../src/pure/base/glob.ts";
import { parseObject, spelled } from "../../../src/pure/base/json.ts";
import { modelAddress } from "../../../src/pure/base/model-address.ts";
import { retryAfter } from "../../../src/pure/base/retry-after.ts";
import { jsonOnly } from "../../../src/pure/checks/answer-checks.ts";
import { categoryOfText, usesNetwork } from "../../../src/pure/shell/category.ts";
import { classify } from "../../../src/pure/shell/classify.ts";
import { commandArgv } from "../../../src/pure/shell/command-argv.ts";
import { testReport } from "../../../src/pure/shell/test-report.ts";
import { failsBy, innerCommands } from "../../../src/pure/shell/vouches.ts";
import { clipEvent } from "../../../src/pure/timeline/clip-event.ts";
import { holdsText } from "../../../src/pure/timeline/holds-text.ts";
import { answerOf } from "../../../src/work/model/answer.ts";
import { anthropicMessages } from "../../../src/work/model/anthropic-messages.ts";
import { chooseTurn } from "../../../src/work/model/choose-turn.ts";
import { geminiContent } from "../../../src/work/model/gemini-content.ts";
import { openaiChat } from "../../../src/work/model/openai-chat.ts";
import { openaiResponses } from "../../../src/work/model/openai-responses.ts";
import { readModelScenario } from "../../../src/work/model/read-model-scenario.ts";
import { parsePatch } from "../../../src/work/native/edits/parse-patch.ts";
import { failureOf } from "../../../src/work/native/failure.ts";
import { modelsIn } from "../../../src/work/native/list-models.ts";
import { readHistory } from "../../../src/work/native/read-history.ts";
import { streamReader } from "../../../src/work/native/read-stream.ts";
import { codeOf, finalOf } from "../../../src/work/native/repl/code-of.ts";
import { inputOf } from "../../../src/work/native/turn.ts";
import { fixturesIn, partsOf as recordedParts } from "./agent-parsers.ts";
import type { Parser } from "./parser.ts";
import { withFile } from "./recorded-parsers.ts";

const COMMANDS = [
  "cd src && cat a.ts | head -n 5 > out.txt; rm -rf build",
  "git log --oneline -5 && npm test 2>&1 | tee log",
  "bash -lc 'sed -n \"1,20p\" a.txt'",
  "for f in *.ts; do grep -n 'x y' \"$f\" || echo no; done",
  "cat <<'EOF' > a.txt\ntext $x\nEOF",
  'FOO=1 env -i python3 - <<< "print(1)" && curl -s https://x.example/a?b=$(date +%s) | tar xz -C /tmp',
  "find . -name '*.js' -exec sed -i 's/a/b/' {} +; if [ -f x ]; then mv x y; fi; case $1 in a) ls;; esac",
  "rg -n --glob '!dist' \"foo(bar)?\" src/ | awk '{print $1}' | sort -u; (cd a; tee b) & wait; x() { :; }",
  "apply_patch <<'P'\n*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** End Patch\nP",
];
const PATCHES = [
  "*** Begin Patch\n*** Add File: a/b.txt\n+one\n+two\n*** Update File: c\n*** Move to: d\n@@ fn\n a\n-b\n+c\n*** End of File\n*** Delete File: e\n*** End Patch",
];
const REPORTS = [
  " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed | 2 skipped (8)\n",
  "Tests:       1 failed, 2 skipped, 5 passed, 8 total\nSnapshots:   0 total\n",
  "===== 1 failed, 5 passed, 2 skipped in 0.12s =====\n",
  "# tests 8\n# pass 5\n# fail 1\n# cancelled 0\n# skipped 2\n# todo 0\n",
  "ok  \tpkg/a\t0.1s\n--- FAIL: TestX (0.00s)\n--- PASS: TestY (0.00s)\nFAIL\n",
  "test result: FAILED. 5 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out\n",
  "Ran 8 tests in 0.1s\n\nFAILED (failures=1, errors=0, skipped=2)\n",
  "  5 passing (10ms)\n  1 failing\n  2 pending\n",
];

/** What models, agents and people say: requests, answers, commands, patches, reports, options. */
export function saidParsers(root: string): readonly Parser[] {
  const scenarios = () =>
    readdirSync(join(root, "scenarios"))
      .map((name) => readFileSync(join(root, "scenarios", name), "utf8"))
      .filter((text) => text.length < 2500);
  const logs = (): readonly string[] => {
    const folders = fixturesIn(root).filter((_, i) => i % 9 === 0);
    return recordedParts(folders.map(({ folder }) => readFileSync(join(folder, "log.jsonl"))));
  };
  const demo = readModelScenario(readFileSync(join(root, "scenarios/demo.yaml"), "utf8"), "demo.yaml");
  const requests = {
    [openaiChat.id]:
      '{"model":"m","stream":true,"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"Go [[demo]]"}]},{"role":"assistant","tool_calls":[{"id":"call_0001_0","type":"function","function":{"name":"read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0001_0","content":"x"}],"tools":[{"type":"function","function":{"name":"read","parameters":{"properties":{"path":{}}}}}]}',
    [anthropicMessages.id]:
      '{"model":"m","system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"Go [[demo]]"},{"role":"assistant","content":[{"type":"tool_use","id":"call_0001_0","name":"Read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0001_0","content":[{"type":"text","text":"x"}]}]}],"tools":[{"name":"Read","input_schema":{"properties":{"file_path":{}}}}]}',
    [openaiResponses.id]:
      '{"model":"m","stream":true,"instructions":"s","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Go [[demo]]"}]},{"type":"function_call","call_id":"call_0001_0","name":"shell","arguments":"{}"},{"type":"function_call_output","call_id":"call_0001_0","output":"x"}],"tools":[{"type":"function","name":"shell","parameters":{}},{"type":"custom","name":"exec"},{"type":"namespace","name":"n","tools":[{"name":"t"}]}],"text":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"string"}}}}}}',
    [geminiContent.id]:
      '{"contents":[{"role":"user","parts":[{"text":"Go [[demo]]"}]},{"role":"model","parts":[{"functionCall":{"id":"call_0001_0","name":"read_file","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"x"}}}]}],"tools":[{"functionDeclarations":[{"name":"read_file","parametersJsonSchema":{"properties":{"path":{}}}}]}],"generationConfig":{"responseJsonSchema":{"type":"object"}}}',
  };
  return [
    ...[openaiChat, anthropicMessages, openaiResponses, geminiContent].map(
      (dialect): Parser => ({
        name: `model request, ${dialect.id}`,
        form: "json",
        reads: ["src/work/model/serve-model.ts", "src/work/model/answer.ts", "src/work/model/read-body.ts"],
        valid: () => [requests[dialect.id] ?? ""],
        read(input) {
          const body = parseObject(input);
          const path = dialect.id === geminiContent.id ? "/v1beta/models/m:streamGenerateContent" : "/v1/x";
          const conversation = body && dialect.conversation(body, path);
          if (conversation === undefined) return;
          const { turn } = chooseTurn([demo], conversation);
          const answer = answerOf(turn, conversation, "0001", "http://127.0.0.1:1");
          JSON.stringify([dialect.frames(answer), dialect.whole(answer), dialect.charged(turn.usage)]);
        },
      }),
    ),
    {
      name: "scenario of the model",
      form: "text",
      reads: [
        "src/work/model/read-model-scenario.ts",
        "src/work/model/read-turn.ts",
        "src/work/model/load-scenarios.ts",
        "src/work/model/field.ts",
      ],
      valid: scenarios,
      read: (input) => readModelScenario(input, "demo.yaml"),
    },
    {
      name: "stream of a provider",
      form: "lines",
      reads: ["src/work/native/turn.ts", "src/work/native/read-stream.ts"],
      valid: () => [
        '{"type":"text-start","id":"0"}\n{"type":"text-delta","id":"0","delta":"hi"}\n{"type":"text-end","id":"0"}\n{"type":"finish","finishReason":{"unified":"stop","raw":"stop"},"usage":{"inputTokens":{"total":3,"cacheRead":1},"outputTokens":{"total":4,"reasoning":1}}}',
        '{"type":"reasoning-start","id":"1","providerMetadata":{"a":{"signature":"x"}}}\n{"type":"reasoning-delta","id":"1","delta":"hm"}\n{"type":"tool-call","toolCallId":"c","toolName":"read","input":"{\\"path\\":\\"a\\"}"}\n{"type":"error","error":{"error":{"message":"overloaded"}}}',
      ],
      read(input) {
        const reader = streamReader("r", "s3cret");
        for (const line of input.split("\n")) {
          const part = parseObject(line);
          const { delta, id, input: given } = part ?? {};
          // The SDK has checked these types before our reader sees a part.
          const isTyped = (delta === undefined || typeof delta === "string") && (id === undefined || typeof id === "string");
          if (part?.["type"] === "tool-call" && typeof given !== "string") continue;
          if (part?.["type"] === "finish" || !isTyped || part === undefined) continue;
          if (spelled(part["type"]).endsWith("-delta") && typeof delta !== "string") continue;
          reader.see(part as never);
          failureOf(part["error"], "s3cret");
        }
        inputOf(input);
        JSON.stringify(reader.turn());
      },
    },
    {
      name: "list of models",
      form: "json",
      reads: ["src/work/native/list-models.ts", "src/pure/base/model-address.ts"],
      valid: () => ['{"data":[{"id":"m","supportedGenerationMethods":["generateContent"]}]}', '{"models":[{"name":"models/g"}]}'],
      isForModel: true,
      read(input) {
        retryAfter(() => input, 0);
        for (const name of modelsIn(input, "openai").slice(0, 3)) modelAddress(name, { environment: {}, apiKey: "k" });
      },
    },
    {
      name: "history of our agent",
      form: "lines",
      reads: ["src/work/native/read-history.ts", "src/work/native/conversation-of.ts"],
      valid: () => recordedParts(fixturesIn(root).flatMap(({ agent, raw }) => (agent.id === "native" || agent.id === "rlm" ? [raw] : []))),
      read: withFile("history/raw.jsonl", (path) => JSON.stringify(readHistory(join(path, "..")))),
    },
    {
      name: "patch by a model",
      form: "text",
      reads: ["src/work/native/edits/parse-patch.ts"],
      valid: () => PATCHES,
      isForModel: true,
      read: parsePatch,
    },
    {
      name: "program by a model",
      form: "text",
      reads: ["src/work/native/repl/code-of.ts"],
      valid: () => ["Let me see.\n```js\nconst a = 1;\nprint(a)\n```\nThen:\n~~~repl\nFINAL(a)\n~~~\n", 'FINAL("done")\n'],
      read(input) {
        codeOf(input);
        return finalOf(input);
      },
    },
    {
      name: "shell command",
      form: "text",
      reads: ["src/pure/shell/"],
      valid: () => COMMANDS,
      read(input) {
        classify(input, "/w");
        commandArgv(input);
        innerCommands(input);
        categoryOfText(input);
        partsOf(input);
        return failsBy(input, (argv: readonly string[]) => usesNetwork(argv));
      },
    },
    {
      name: "test report",
      form: "text",
      reads: ["src/pure/shell/test-report.ts"],
      valid: () => [...REPORTS, REPORTS.join("\n")],
      read: testReport,
    },
    {
      name: "final answer",
      form: "json",
      reads: ["src/pure/checks/answer-checks.ts"],
      valid: () => ['{"a":[1,2,{"b":null}]}'],
      read: (answer) => jsonOnly.judge({ answer } as never, {} as never),
    },
    {
      name: "log of the page",
      form: "lines",
      reads: ["src/app/web/event-lines.ts", "src/app/web/search-log.ts", "src/app/web/find-in-runs.ts", "src/pure/timeline/"],
      valid: logs,
      read(input) {
        for (const line of input.split("\n")) {
          const record = parseObject(line);
          if (record === undefined) continue;
          JSON.stringify(clipEvent(record, line.length));
          holdsText(record, "needle");
        }
        rangesOf(input);
      },
    },
    {
      name: "option",
      form: "text",
      reads: ["src/app/cli/options/", "src/pure/base/duration.ts", "src/pure/base/glob.ts", "src/host/workspace/ignore.ts"],
      valid: () => [
        "1h30m",
        "500ms",
        "0.50",
        "SIGTERM",
        "30d",
        "8080",
        "a,b",
        "1-5000",
        "NAME=value",
        "claude=4,codex=8",
        "git *?x*",
        "tests=node 'a b' c",
        "node_modules/*/x*",
      ],
      read(input) {
        parseDuration(input);
        isLike("git log; rm -r .".repeat(50), input, { within: true });
        ignoring([input])("a/b/c".repeat(20), "c");
        const read = [...Object.values(options), parseLimits, (text: string) => readMcp(`a=${text}`)];
        return (read[input.length % read.length] as (text: string, before: readonly string[]) => unknown)(input, []);
      },
    },
    {
      name: "MCP servers",
      form: "json",
      reads: ["src/app/cli/options/read-mcp.ts"],
      valid: () => [
        '{"mcpServers":{"a":{"command":"node","args":["x",1],"env":{"A":"1"}},"b":{"type":"sse","url":"http://x","headers":{"h":"v"}}}}',
      ],
      read: withFile("servers.json", readMcp),
    },
    {
      name: "keys",
      form: "text",
      reads: ["src/app/tui/watch/read-keys.ts"],
      valid: () => ["\x1b[A\x1bOBq\r\x03\x1b[5~/text\x7f", "\x1b"],
      read(input) {
        const keys = readKeys();
        keys.push(input.slice(0, input.length / 2));
        keys.push(input.slice(input.length / 2));
        keys.flush();
      },
    },
  ];
}
