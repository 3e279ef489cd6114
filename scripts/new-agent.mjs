// `npm run new-agent <id> [title]`: creates an agent's source, list entry, fixture and docs page.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const [id, title = id] = process.argv.slice(2);
if (id === undefined || !/^[a-z][a-z0-9-]*$/.test(id)) {
  console.error("new-agent: pass an id in lower case with dashes: npm run new-agent my-agent");
  process.exit(2);
}
const source = join(root, "src/pure/agents", id);
if (existsSync(source)) {
  console.error(`new-agent: src/pure/agents/${id} already exists. Choose a different id, or edit that agent.`);
  process.exit(2);
}
const name = id.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const rule = (words) => `// ── ${words} ${"─".repeat(Math.max(0, 115 - words.length))}`;

write(
  `src/pure/agents/${id}/agent.ts`,
  `// ${title}, seen in <version>: \`<the command line>\`. Evidence: docs/reference/agents/${id}.md.

import { type JsonObject, nothing, objectOf, stringOf, type Translator, wordOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import { type Agent, type Command, consumed, type RunContext, type Task } from "../../pipeline/index.ts";
import { type InputReader, readInput } from "../tool-input.ts";

${rule("state")}

interface State {
  /** Open calls: an end without a start does not count. */
  readonly open: Set<string>;
}

${rule("invocation")}

function command(task: Task): Command {
  return { args: ["--json", ...(task.extraArgs ?? [])], stdin: task.prompt };
}

${rule("tool table")}

const tools = new Map<string, InputReader>([["read", readInput]]);

${rule("translation")}

function open(run: RunContext): Translator<JsonObject, EventBody> {
  const state: State = { open: new Set() };

  /** Every dropped line is a visible case; every unreadable line is one unknown. */
  function push(line: JsonObject): readonly EventBody[] {
    switch (line["type"]) {
      case "session":
        return [{ type: "session", sessionId: wordOf(line["id"]) }];
      case "ping":
        return consumed; // only shows that the agent is alive
      case "text":
        return [{ type: "message", role: "assistant", text: stringOf(line["text"]) ?? "" }];
      case "tool_start":
        return toolStart(line);
      case "tool_end":
        return toolEnd(line);
      default:
        return [{ type: "unknown", raw: line }];
    }
  }

  function toolStart(line: JsonObject): readonly EventBody[] {
    const callId = wordOf(line["id"]);
    const tool = wordOf(line["tool"]);
    const input = objectOf(line["input"]);
    if (callId === undefined || tool === undefined || input === undefined) return [{ type: "unknown", raw: line }];
    state.open.add(callId);
    const operations = tools.get(tool)?.(input, run.cwd) ?? nothing;
    return [{ type: "tool-start", callId, tool, input, operations, request: line }];
  }

  function toolEnd(line: JsonObject): readonly EventBody[] {
    const callId = wordOf(line["id"]);
    if (callId === undefined || !state.open.delete(callId)) return [{ type: "unknown", raw: { type: line["type"], id: line["id"] } }];
    const success = typeof line["ok"] === "boolean" ? line["ok"] : undefined;
    return [{ type: "tool-end", callId, success, output: stringOf(line["output"]) }];
  }

  ${rule("end")}

  return { push, end: () => nothing };
}

export const ${name}: Agent = {
  id: "${id}",
  title: "${title}",
  binaries: ["${id}"],
  command,
  open,
};
`,
);

write(`src/pure/agents/${id}/index.ts`, `export { ${name} } from "./agent.ts";\n`);

const list = join(root, "src/pure/agents/agents.ts");
const before = readFileSync(list, "utf8");
const imports = [...before.matchAll(/^import \{ .* \} from "\.\/.*";$/gm)].map(([line]) => line);
const line = `import { ${name} } from "./${id}/index.ts";`;
const sorted = [...imports, line].sort((a, b) => (specifier(a) < specifier(b) ? -1 : 1));
const after = before
  .replace(imports.join("\n"), sorted.join("\n"))
  .replace(/\n\} as const satisfies/, `\n  ${name},\n} as const satisfies`);
if (after === before) throw new Error("src/pure/agents/agents.ts does not look as expected; add the agent by hand");
writeFileSync(list, after);
console.log("changed src/pure/agents/agents.ts");

const fixture = [
  { type: "session", id: "s-1" },
  { type: "text", text: "Reading the file." },
  { type: "tool_start", id: "t-1", tool: "read", input: { path: "/workspace/README.md" } },
  { type: "tool_end", id: "t-1", ok: true, output: "contents" },
];
write(`fixtures/${id}/documented-first/raw.jsonl`, fixture.map((record) => `${JSON.stringify(record)}\n`).join(""));
const meta = {
  agent: id,
  scenario: "documented-first",
  version: "unknown",
  provenance: "documented",
  description: "a first stream; replace it with a recording of the real CLI",
  argv: [],
  exitCode: 0,
  signal: null,
};
write(`fixtures/${id}/documented-first/meta.json`, `${JSON.stringify(meta, null, 1)}\n`);
write(
  `docs/reference/agents/${id}.md`,
  `# ${title}

Recorded with <version>; <where the format is documented>. Fixtures: \`fixtures/${id}/\`.

## Run it

\`\`\`
<the command line that \`command()\` makes>
\`\`\`

## What it prints

| line | event | activity |
|---|---|---|
| \`session\` | \`session\` | – |

## Where its claims are wrong

- Nothing is known yet.

## Limits

- Nothing is known yet.
`,
);
console.log("next: npm run goldens, read what it wrote under fixtures/, then npm test");

/** The path without its extension, because the formatter sorts by it: acp before acp-agents. */
function specifier(line) {
  return /"([^"]+)\.ts"/.exec(line)[1];
}

function write(path, text) {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  console.log(`created ${path}`);
}
