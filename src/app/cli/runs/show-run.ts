import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRunId, readManifest, runPaths } from "../../../host/recording/index.ts";
import { clip, duration, printable, printableJson } from "../../../pure/base/index.ts";
import { costText, usageText } from "../../../pure/events/index.ts";
import { isolationText } from "../../../pure/isolation/index.ts";
import { colors, inTerminal, write } from "../../terminal/index.ts";
import { openNamedRun } from "../options/index.ts";

/** Shows the main facts of a run to people, and its `run.json` to programs. */
export async function showRun(name: string, { json }: { readonly json?: true }): Promise<void> {
  const { manifest, directory, owner } = await openNamedRun(name);
  const { names } = manifest.secrets;
  if (json || !inTerminal()) return write(`${printableJson(JSON.stringify({ ...manifest, secrets: { names }, directory }))}\n`);
  const { sealed, command } = manifest;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ["run", manifest.id],
    ["name", manifest.name],
    ["tags", manifest.tags.join(", ")],
    ["agent", manifest.agent],
    ["file", manifest.agentFile?.path],
    ["read as", manifest.like],
    ["model", sealed?.model ?? manifest.model],
    ["session", sealed?.sessionId],
    ["resumes", chainOf(directory, manifest.resumes).join(", which resumes ")],
    [
      "status",
      owner === undefined ? `${sealed?.status ?? "unknown"} (${sealed?.reason ?? "unknown reason"})` : `running, process ${owner.pid}`,
    ],
    ["exit", sealed === undefined ? null : (sealed.signal ?? (sealed.exitCode === null ? null : `code ${sealed.exitCode}`))],
    ["started", new Date(manifest.startedAt).toISOString()],
    ["took", sealed?.durationMs == null ? null : duration(sealed.durationMs)],
    ["tokens", sealed === undefined ? null : usageText(sealed.usage, sealed.partialUsage)],
    ["cost", sealed === undefined ? null : costText(sealed.costUsd, sealed.partialCost)],
    ["calls", sealed === undefined ? null : String(sealed.toolCalls)],
    ["masked", sealed === undefined || sealed.masked === 0 ? null : `${sealed.masked} places`],
    ["repairs", sealed?.repairs?.join("; ")],
    ["cwd", manifest.cwd],
    ["command", command && clip([command.binary, ...command.args].join(" "), 200)],
    ["origin", manifest.origin?.id],
    ["launcher", manifest.launcher?.id],
    ["isolated", manifest.isolation && isolationText(manifest.isolation)],
    ["prompt", sealed !== undefined ? clip(promptOf(directory), 200) : null],
    ["files", directory],
    ["head", sealed?.head],
  ];
  await write(facts.flatMap(([label, value]) => (value ? [`${colors.dim(label.padEnd(9))} ${printable(value)}\n`] : [])).join(""));
}

/** A damaged chain may be circular. */
const LONGEST_CHAIN = 20;

/** The runs that this one continues, newest first, as far as they still exist. */
function chainOf(directory: string, first: string | undefined): readonly string[] {
  const ids: string[] = [];
  for (let id = first; id !== undefined && ids.length < LONGEST_CHAIN; id = resumedBy(join(dirname(directory), id))) ids.push(id);
  return ids;
}

function resumedBy(directory: string): string | undefined {
  try {
    return isRunId(basename(directory)) ? readManifest(runPaths(directory).manifest).resumes : undefined;
  } catch {
    return undefined; // deleted
  }
}

function promptOf(directory: string): string {
  try {
    return readFileSync(runPaths(directory).prompt, "utf8");
  } catch {
    return "";
  }
}
