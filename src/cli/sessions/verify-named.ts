import { HarnessError } from "../../core/errors.ts";
import { agentOfRun } from "../../own/agent-of-run.ts";
import { type Flaw, verifyRun } from "../../recorder/verify-run.ts";
import { dataOfRun } from "../../store/find-run.ts";
import { runPaths, sessionPaths } from "../../store/run-paths.ts";
import { setExitCode } from "../exit-code.ts";
import { FAILED } from "../exit-codes.ts";
import { namedAgent, openNamedRun } from "../open-named-run.ts";
import { inTerminal, write } from "../output.ts";
import { printable } from "../printable.ts";

/** Names every place where a recording is not what it was; the first is the one to look at. */
export async function verifyNamed(name: string, { agent, json }: { readonly agent?: string; readonly json?: true }): Promise<void> {
  const given = agent === undefined ? undefined : await namedAgent(agent);
  const { manifest, directory, owner } = await openNamedRun(name, given);
  if (owner !== undefined)
    throw new HarnessError("locked", `The run ${manifest.id} is being written by process ${owner.pid}; verify it when it has ended.`);
  const { sessions, id } = dataOfRun(directory);
  const flaws = await verifyRun(manifest, runPaths(directory), sessionPaths(sessions, id).stream, given ?? (await agentOfRun(manifest)));
  if (flaws.length > 0) setExitCode(FAILED);
  const { records = 0, head = "" } = manifest.sealed ?? {};
  if (json || !inTerminal()) return write(`${JSON.stringify({ id: manifest.id, ok: flaws.length === 0, records, head, flaws })}\n`);
  const verdict = flaws.length === 0 ? `as it was sealed: ${records} records, head ${head}` : "not what was sealed:";
  await write([`${manifest.id} is ${verdict}`, ...flaws.map(sentence)].map((line) => `${printable(line)}\n`).join(""));
}

function sentence({ file, line, offset, problem }: Flaw): string {
  const where = [line === undefined ? "" : `line ${line}`, offset === undefined ? "" : `byte ${offset}`]
    .filter((part) => part !== "")
    .join(", ");
  return `${file}${where === "" ? "" : ` (${where})`}: ${problem}`;
}
