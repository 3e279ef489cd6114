import { parseJson } from "../../pure/base/index.ts";
import { type RelayVerdict, readAnswer } from "../../pure/events/index.ts";
import { connectTo, forProgram, writeStream } from "../sink/index.ts";

/** Less than the limit of any hook, after which some agents would run the call. */
const LONGEST_WAIT_MS = 3_000_000;

/** Asks a run about a call, over its socket. Undefined: the agent's own rules decide. Rejects if there is no answer. */
export function askDecision(socket: string, request: unknown): Promise<RelayVerdict | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const client = connectTo(socket);
    client.on("connect", () => void writeStream(client, forProgram(`${JSON.stringify(request)}\n`)).catch(reject));
    client.setTimeout(LONGEST_WAIT_MS, () => client.destroy(new Error("no answer in time")));
    client.on("data", (chunk) => chunks.push(chunk)).on("error", reject);
    client.on("close", () => {
      try {
        const answer: unknown = parseJson(Buffer.concat(chunks).toString("utf8"));
        resolve(answer === null ? undefined : readAnswer(answer));
      } catch {
        reject(new Error("no answer"));
      }
    });
  });
}
