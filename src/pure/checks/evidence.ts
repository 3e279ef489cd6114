import {
  type BodyOf,
  type CommandObservedBody,
  type CommandsObservedBody,
  type Constraint,
  type Event,
  EXCEEDED,
  type FilesChangedBody,
  type RunEndBody,
  type TracedEffect,
  unlistedCommands,
} from "../events/index.ts";
import { runSummary } from "../pipeline/index.ts";
import { type TestReport, testReport } from "../shell/index.ts";
import type { FilePatch } from "./patch-files.ts";

/** A fact with the number of its event. */
export interface Numbered<Body> {
  readonly seq: number;
  readonly body: Body;
}

/** Everything a check may use. Undefined: not observed. */
export interface RunEvidence {
  /** The agent's final answer; null if it gave none. */
  readonly answer: string | null;
  /** The requirements. */
  readonly constraints: readonly Constraint[];
  /** The changes to the workspace over the whole run. */
  readonly files?: Numbered<FilesChangedBody>;
  /** The parsed patch; undefined if there is none or it could not be read. */
  readonly patch?: readonly FilePatch[];
  readonly commands: readonly Numbered<CommandObservedBody>[];
  /** How commands were watched. */
  readonly watched?: Numbered<CommandsObservedBody>;
  /** What a trace saw in addition to program starts, from its log; undefined if there is none or it could not be read. */
  readonly effects?: readonly TracedEffect[];
  /** What test reporters printed, as the agent's calls report it, in order. */
  readonly reports?: readonly CalledReport[];
  /** Warnings about calls that a level or a rule of permissions forbids. */
  readonly exceeded?: readonly Numbered<BodyOf<"warning">>[];
  /** The agent is part of this package, and reports everything it does. */
  readonly reportsAll?: boolean;
  readonly end?: RunEndBody;
  /** The result of the view `truth`. */
  readonly truth?: Reconciled;
}

/** The totals of a test reporter in the output of a call, and the time of the call. */
export interface CalledReport {
  readonly seq: number;
  readonly from: number;
  readonly to: number;
  readonly report: TestReport;
}

/** The agent's report against the observations, reduced to what checks need. */
export interface Reconciled {
  readonly verdict: "consistent" | "contradicted" | "unknown";
  readonly total: number;
  readonly findings: readonly {
    readonly rule: string;
    readonly message: string;
    readonly declared: { readonly events: readonly number[] };
    readonly observed: { readonly text: string; readonly events: readonly number[] };
  }[];
}

/** Evidence from files of the run, as far as they could be read. */
export interface ReadEvidence extends Pick<RunEvidence, "patch" | "effects" | "truth"> {
  /** All commands in order; the first ones are also events. */
  readonly log?: readonly CommandObservedBody[];
}

/** Folds a run's events into evidence. The caller reads the files: the patch, all commands, and the trace. */
export function evidenceFold() {
  const summary = runSummary();
  const commands: Numbered<CommandObservedBody>[] = [];
  let constraints: readonly Constraint[] = [];
  let files: Numbered<FilesChangedBody> | undefined;
  let watched: Numbered<CommandsObservedBody> | undefined;
  let end: RunEndBody | undefined;
  const reports: CalledReport[] = [];
  const exceeded: Numbered<BodyOf<"warning">>[] = [];
  let reportsAll = false;
  let before = 0; // the time of the event before: many agents report a call only after it ended
  return {
    see(event: Event): void {
      summary.see(event);
      const { seq, at, body, call } = event;
      const report = body.type === "tool-end" && body.output !== undefined ? testReport(body.output) : undefined;
      if (report !== undefined) reports.push({ seq, from: Math.min(before, call?.start.at ?? at), to: at, report });
      before = at;
      if (body.type === "observation") constraints = body.constraints;
      else if (body.type === "files-changed" && body.turn === undefined) files = { seq, body };
      else if (body.type === "command-observed") commands.push({ seq, body });
      else if (body.type === "commands-observed") watched = { seq, body };
      else if (body.type === "warning" && body.code === EXCEEDED) exceeded.push({ seq, body });
      else if (body.type === "run-start") reportsAll = body.inside === true;
      else if (body.type === "run-end") end = body;
    },
    /** The file with the patch. */
    patchFile: () => files?.body.patch,
    /** The file with all commands, if there are more than the events list. */
    commandsFile: () => (watched !== undefined && unlistedCommands({ watched, commands }) > 0 ? watched.body.log : undefined),
    /** The file with the traced effects. */
    effectsFile: () => watched?.body.effects?.log,
    evidence: ({ patch, effects, truth, log = [] }: ReadEvidence = {}): RunEvidence => ({
      answer: summary.summary().output,
      constraints,
      commands: [...commands, ...log.slice(commands.length).map((body) => ({ seq: watched?.seq ?? 0, body }))],
      reports,
      exceeded,
      reportsAll,
      ...(files && { files }),
      ...(patch && { patch }),
      ...(watched && { watched }),
      ...(effects && { effects }),
      ...(end && { end }),
      ...(truth && { truth }),
    }),
  };
}
