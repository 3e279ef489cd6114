import { parseJson } from "../../../pure/base/index.ts";
// The hook that an agent starts before each call: passes the call to the run, and the decision back. Arguments: the socket, and how to
// answer. Exits with 2 to deny, also if anything fails. Small, because it starts for every call.
import { askDecision } from "../../permissions/index.ts";
import { forProgram, writeStream } from "../../sink/index.ts";

const [socket = "", speech] = process.argv.slice(2);

/** The run has masked the reason. */
async function deny(reason: string): Promise<never> {
  await writeStream(process.stderr, forProgram(`${reason}\n`)).catch(() => {});
  process.exit(2);
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

try {
  const verdict = await askDecision(socket, parseJson(await standardInput()));
  if (verdict !== undefined && speech === "json") {
    const permissionDecision = verdict.decision === "deny" ? "deny" : "allow";
    const output = { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: verdict.reason ?? "allowed" };
    await writeStream(process.stdout, forProgram(JSON.stringify({ hookSpecificOutput: output })));
  } else if (verdict?.decision === "deny") await deny(verdict.reason);
} catch (error) {
  await deny(`The call was denied because no decision could be obtained: ${error instanceof Error ? error.message : String(error)}.`);
}
