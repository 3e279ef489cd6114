// Reads the answer with our provider harness or with a bare loop, and reports its processor time on descriptor 3.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [how, dist, port] = process.argv.slice(2);
const read = how === "ours" ? await ours() : bare;
const before = process.cpuUsage();
const characters = await read();
const { user, system } = process.cpuUsage(before);
if (!(characters > 0)) throw new Error("nothing was read");
writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1000, characters }));

async function bare() {
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST", body: "{}" });
  const decoder = new TextDecoder();
  let rest = "";
  let total = 0;
  for await (const bytes of response.body) {
    rest += decoder.decode(bytes, { stream: true });
    let from = 0;
    for (let to = rest.indexOf("\n\n"); to !== -1; to = rest.indexOf("\n\n", from)) {
      const data = rest.slice(from + "data: ".length, to);
      from = to + 2;
      if (data !== "[DONE]") total += JSON.parse(data).choices[0].delta.content?.length ?? 0;
    }
    rest = rest.slice(from);
  }
  return total;
}

/** Loaded before the measurement. */
async function ours() {
  const { providerHarness } = await import(pathToFileURL(join(dist, "index.js")).href);
  await import("@ai-sdk/openai-compatible");
  const messages = [{ role: "user", content: "Go." }];
  return async () => {
    let total = 0;
    for await (const event of providerHarness({ baseUrl: `http://127.0.0.1:${port}/v1`, environment: {} }).invoke({
      model: "local/m",
      messages,
    })) {
      if (event.type === "text") total += event.content.length;
      if (event.type === "error") throw new Error(event.message);
    }
    return total;
  };
}
