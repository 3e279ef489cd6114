// The hook that an agent starts before each call: passes the call to the run, and the decision back. Arguments: the socket, and how to
// answer. Exits with 2 to deny, also if anything fails. Small, because it starts for every call.
import { connect } from "node:net";
import { type RelayVerdict, readAnswer } from "../../../pure/events/index.ts";

const [socket = "", speech] = process.argv.slice(2);

/** Less than the hook's own limit, after which some agents would run the call. */
const LONGEST_WAIT_MS = 3_000_000;

function deny(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Undefined: the agent's own rules decide. */
function asked(line: string): Promise<RelayVerdict | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const client = connect(socket, () => client.write(line));
    client.setTimeout(LONGEST_WAIT_MS, () => client.destroy(new Error("no answer in time")));
    client.on("data", (chunk) => chunks.push(chunk)).on("error", reject);
    client.on("close", () => {
      try {
        const answer: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        resolve(answer === null ? undefined : readAnswer(answer));
      } catch {
        reject(new Error("no answer"));
      }
    });
  });
}

try {
  const request: unknown = JSON.parse(await standardInput());
  const verdict = await asked(`${JSON.stringify(request)}\n`);
  if (verdict !== undefined && speech === "claude") {
    const permissionDecision = verdict.decision === "deny" ? "deny" : "allow";
    const output = { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: verdict.reason ?? "allowed" };
    process.stdout.write(JSON.stringify({ hookSpecificOutput: output }));
  } else if (verdict?.decision === "deny") deny(verdict.reason);
} catch (error) {
  deny(`The call was denied because no decision could be obtained: ${error instanceof Error ? error.message : String(error)}.`);
}
