import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program named `codex` in its own folder: it prints Codex's format, calls its model once, and says what the model answers. */
export function fakeCodex(folder: string, says: { readonly tokens?: number; readonly more?: object } = {}): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "codex"), program(says.tokens ?? 0, says.more ?? {}), { mode: 0o755 });
  return bin;
}

/** `tokens`: how many it adds to its charge. `more`: fields of its last line. */
function program(tokens: number, more: object): string {
  return `#!${process.execPath}
const args = process.argv.slice(2);
if (args.includes("--version")) {
  console.log("codex-cli 0.999.1");
  process.exit();
}
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
let prompt = "";
process.stdin.on("data", (data) => { prompt += data; }).on("end", ask);
async function ask() {
  say({ type: "thread.started", thread_id: "t" });
  say({ type: "turn.started" });
  const base = /base_url="([^"]+)"/.exec(args.join(" "))[1];
  const tools = [{ type: "function", name: "exec_command", parameters: { type: "object", properties: { cmd: { type: "string" } } } }];
  const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }];
  const response = await fetch(base + "/responses", { method: "POST", body: JSON.stringify({ model: "m", stream: false, input, tools }) });
  const { output, usage } = await response.json();
  const text = output.flatMap(({ content = [] }) => content).map((part) => part.text ?? "").join("");
  say({ type: "item.completed", item: { id: "item_0", type: "agent_message", text } });
  const reported = {
    input_tokens: usage.input_tokens + ${tokens},
    cached_input_tokens: usage.input_tokens_details.cached_tokens,
    cache_write_input_tokens: usage.input_tokens_details.cache_write_tokens ?? 0,
    output_tokens: usage.output_tokens,
    reasoning_output_tokens: usage.output_tokens_details.reasoning_tokens,
  };
  say({ type: "turn.completed", usage: reported, ...${JSON.stringify(more)} });
}
`;
}
