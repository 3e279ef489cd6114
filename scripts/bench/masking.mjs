// What masking costs, in times of JSON.parse of the same lines: no reader of JSON can be faster than its parser.
import { readFileSync } from "node:fs";
import { bundled } from "../bundled.mjs";
import { bestOf } from "./best-of.mjs";

const CHUNK = 256 * 1024;
const SECRETS = 20;

/** Of a stream with whole messages, and of one whose text comes in pieces. */
export async function measureMasking({ file, runs, say }) {
  const { findSecrets, masker, pieceMasker } = await bundled("src/host/secrets", ["index.ts"]);
  const find = findSecrets(
    Array.from({ length: SECRETS }, (_, i) => ({ value: `sk-bench-${Buffer.from(`secret ${i} 0123456789`).toString("hex")}` })),
  );
  const whole = readFileSync(file);
  const pieces = piecesOf(whole.length);
  const measured = {};
  for (const [name, bytes] of Object.entries({ whole, pieces })) {
    say(`masking: ${name}`);
    const bare = await bestOf(runs, async () => parse(bytes));
    const lines = await bestOf(runs, async () => mask(masker(find), bytes));
    const joined = await bestOf(runs, async () => mask(pieceMasker(find), bytes));
    measured[name] = { lines: lines.cpuMs / bare.cpuMs, joined: joined.cpuMs / bare.cpuMs };
  }
  return measured;
}

function mask(secrets, bytes) {
  for (let start = 0; start < bytes.length; start += CHUNK) secrets.push(bytes.subarray(start, start + CHUNK));
  secrets.end();
  if (secrets.count > 0) throw new Error("there is no secret in the file, and one was found");
}

function parse(bytes) {
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    JSON.parse(bytes.toString("utf8", start, end));
    start = end + 1;
  }
}

/** Lines of Claude Code with partial messages, five characters of English each. */
function piecesOf(size) {
  const words = "The quick agent reads files, runs the tests, keeps notes and asks before it deletes anything; then it is done. ";
  const lines = [];
  for (let at = 0, length = 0; length < size; at = (at + 5) % words.length) {
    const delta = { type: "text_delta", text: words.slice(at, at + 5) };
    const event = { type: "content_block_delta", index: 0, delta };
    const uuid = `128d0b8e-cae1-4d58-9fdc-${String(lines.length).padStart(12, "0")}`;
    const line = `${JSON.stringify({ type: "stream_event", event, session_id: "e9b99a83-9394", parent_tool_use_id: null, uuid })}\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join(""));
}
