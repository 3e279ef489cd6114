// Prints a Claude Code stream with about this many events: messages, calls with results, and some failures.
import { writeSync } from "node:fs";

const events = Number(process.env.EVENTS);
let text = "";
const put = (value) => {
  text += `${JSON.stringify(value)}\n`;
  if (text.length > 1 << 20) flush();
};
function flush() {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
  text = "";
}

put({ type: "system", subtype: "init", session_id: "s", model: "bench", cwd: "/workspace", tools: [] });
for (let i = 0, count = 0; count < events; i++, count += i % 10 === 1 ? 5 : 3) {
  const said = { type: "text", text: `Step ${i}: I read **file ${i % 977}**, then I continue with \`part-${i % 31}\`.` };
  const [id, other] = [`a${i}`, `b${i}`];
  put(assistant(i, [said, { type: "tool_use", id, name: "Bash", input: { command: `rg needle src/part-${i % 31}` } }]));
  put(user([{ type: "tool_result", tool_use_id: id, content: `src/file-${i % 977}.ts:${i}: needle`, is_error: i % 100 === 0 }]));
  if (i % 10 !== 0) continue;
  put(
    assistant(i, [
      { type: "tool_use", id: other, name: "Write", input: { file_path: `/workspace/${i}.ts`, content: "export const a = 1;\n" } },
    ]),
  );
  put(user([{ type: "tool_result", tool_use_id: other, content: "done" }]));
}
put({ type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" });
flush();

function assistant(i, content) {
  return { type: "assistant", message: { id: `m${i}`, role: "assistant", content }, session_id: "s" };
}

function user(content) {
  return { type: "user", message: { role: "user", content }, session_id: "s" };
}
