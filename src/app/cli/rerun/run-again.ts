import type { RunManifest } from "../../../host/recording/index.ts";
import { hideSecrets } from "../../../host/secrets/index.ts";
import { counted, printable, printableJson } from "../../../pure/base/index.ts";
import { isolationOf } from "../../../pure/isolation/index.ts";
import { type Divergence, type Rerun, rerun } from "../../../work/rerun/index.ts";
import { colors, FAILED, inTerminal, onStopSignals, say, setExitCode, write } from "../../terminal/index.ts";
import { type AgentFlags, namedAgent, openNamedRun, runOptionsOf } from "../options/index.ts";

export interface RerunFlags extends AgentFlags {
  readonly workspace?: string;
  readonly lenient?: true;
  readonly speed: "max" | "recorded";
  readonly from?: number;
  readonly json?: true;
}

/** `harness rerun`: the recorded task, with the user's own program. */
export async function runAgain(name: string, flags: RerunFlags, extraArgs: readonly string[]): Promise<void> {
  const run = await openNamedRun(name, flags.agent === undefined ? undefined : await namedAgent(flags.agent));
  const { manifest } = run;
  const { options } = await runOptionsOf({ ...recordedFlags(manifest), ...flags, ...lists(manifest, flags) }, extraArgs);
  const isolate = flags.isolate ?? "sealed";
  if (isolationOf(isolate).level === "none") say("warning: the agent runs without walls; its recorded model can make it run any command");
  const stop = new AbortController();
  let cancel = () => stop.abort();
  const signals = onStopSignals(() => cancel());
  let result: Rerun;
  try {
    result = await rerun({
      run,
      options: { ...options, isolate },
      workspace: flags.workspace,
      mode: flags.lenient === true ? "lenient" : "strict",
      speed: flags.speed,
      from: flags.from,
      signal: stop.signal,
      onStart: (live) => {
        cancel = live.cancel;
      },
    });
  } catch (error) {
    if (error !== stop.signal.reason) throw error;
    return;
  } finally {
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
  }
  const isGood = flags.from === undefined ? result.exact : result.divergence === null && result.status.now === "completed";
  if (!isGood && process.exitCode === undefined) setExitCode(FAILED);
  const text = `${JSON.stringify(result)}\n`;
  await write(hideSecrets(flags.json === true || !inTerminal() ? (inTerminal() ? printableJson(text) : text) : shown(result)));
}

const LEVELS = ["full", "default", "read-only"] as const;

/** What the recording says about its task. Nothing in it names a program. */
function recordedFlags({ agent, model, permissions, like }: RunManifest): Partial<AgentFlags> {
  const level = LEVELS.find((each) => each === permissions);
  return { agent, ...(model !== undefined && { model }), ...(level && { permissions: level }), ...(like !== undefined && { like }) };
}

function lists({ rules }: RunManifest, { allow = [], deny = [] }: RerunFlags): Partial<AgentFlags> {
  return { allow: [...(rules?.allow ?? []), ...allow], deny: [...(rules?.deny ?? []), ...deny] };
}

function shown({ exact, requests, divergence, files, said, status, rerun: id, notes }: Rerun): string {
  const { recorded, equal, asked, live } = requests;
  const filesText =
    files.equal === null ? `not compared: ${files.problem ?? "unknown"}` : files.equal ? "equal" : `differ: ${files.differing.join(", ")}`;
  const rows = [
    [
      "requests",
      `${equal} of ${recorded} equal${asked > equal ? `, ${counted(asked, "request was", "requests were")} sent` : ""}${live > 0 ? `, ${live} answered by the live model` : ""}`,
    ],
    ["files", filesText],
    ["texts", said === null ? "not compared" : said ? "equal" : "differ"],
    [
      "status",
      status.recorded === status.now ? (status.now ?? "unknown") : `${status.recorded ?? "unknown"}, now ${status.now ?? "unknown"}`,
    ],
    ["recorded as", id],
  ];
  const title = exact ? colors.green("exact") : live > 0 ? "continued with the live model" : colors.red("not exact");
  return [
    title,
    ...rows.map(([name = "", text = ""]) => `   ${name.padEnd(12)}${printable(text)}`),
    ...(divergence === null ? [] : diffLines(divergence)),
    ...notes.map((note) => `   note: ${printable(note)}`),
    "",
  ].join("\n");
}

function diffLines({ kind, request, recorded, diff, more }: Divergence): readonly string[] {
  const what =
    kind === "missing"
      ? `the recorded request ${recorded} was not sent`
      : kind === "extra"
        ? `request ${request} was not recorded: every recorded request was answered already`
        : `request ${request} differs from the recorded request ${recorded}`;
  const lines = diff.map(({ side, text }) =>
    side === "recorded" ? colors.red(`   - ${printable(text)}`) : colors.green(`   + ${printable(text)}`),
  );
  return ["", `first difference: ${what}`, ...lines, ...(more > 0 ? [`   … and ${counted(more, "more line", "more lines")}`] : [])];
}
