import {
  type CommandObservedBody,
  type CommandsObservedBody,
  type Constraint,
  type Event,
  type FilesChangedBody,
  type RunEndBody,
  type TracedEffect,
  unlistedCommands,
} from "../events/index.ts";
import { runSummary } from "../pipeline/index.ts";
import type { FilePatch } from "./patch-files.ts";

/** A fact, and the number of the event that tells it. */
export interface Told<Body> {
  readonly seq: number;
  readonly body: Body;
}

/** All that a check may look at. What is undefined was not observed. */
export interface RunEvidence {
  /** The agent's final answer; null where it gave none. */
  readonly answer: string | null;
  /** What was asked of it. */
  readonly constraints: readonly Constraint[];
  /** What became of the workspace over the whole run. */
  readonly files?: Told<FilesChangedBody>;
  /** The patch, read; undefined where there is none or it could not be read. */
  readonly patch?: readonly FilePatch[];
  readonly commands: readonly Told<CommandObservedBody>[];
  /** What was watched of the commands. */
  readonly watched?: Told<CommandsObservedBody>;
  /** All that a trace saw beside the starts of programs, read from its log; undefined where there is none or it could not be read. */
  readonly effects?: readonly TracedEffect[];
  readonly end?: RunEndBody;
  /** What the view `truth` says. */
  readonly truth?: Reconciled;
}

/** What the agent says against what was seen, as far as a check needs it. */
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

/** What is in files of the run, as far as they could be read. */
export interface ReadEvidence extends Pick<RunEvidence, "patch" | "effects" | "truth"> {
  /** All commands, in their order; the first of them are events, too. */
  readonly log?: readonly CommandObservedBody[];
}

/** Folds a run's events into what checks look at; the patch, all commands, and what was traced, are files, which the caller reads. */
export function evidenceFold() {
  const summary = runSummary();
  const commands: Told<CommandObservedBody>[] = [];
  let constraints: readonly Constraint[] = [];
  let files: Told<FilesChangedBody> | undefined;
  let watched: Told<CommandsObservedBody> | undefined;
  let end: RunEndBody | undefined;
  return {
    see(event: Event): void {
      summary.see(event);
      const { seq, body } = event;
      if (body.type === "observation") constraints = body.constraints;
      else if (body.type === "files-changed" && body.turn === undefined) files = { seq, body };
      else if (body.type === "command-observed") commands.push({ seq, body });
      else if (body.type === "commands-observed") watched = { seq, body };
      else if (body.type === "run-end") end = body;
    },
    /** The file that holds the patch, as the events name it. */
    patchFile: () => files?.body.patch,
    /** The file that holds all commands, where there are more than the events tell one by one. */
    commandsFile: () => (watched !== undefined && unlistedCommands({ watched, commands }) > 0 ? watched.body.log : undefined),
    /** The file that holds what was traced. */
    effectsFile: () => watched?.body.effects?.log,
    evidence: ({ patch, effects, truth, log = [] }: ReadEvidence = {}): RunEvidence => ({
      answer: summary.summary().output,
      constraints,
      commands: [...commands, ...log.slice(commands.length).map((body) => ({ seq: watched?.seq ?? 0, body }))],
      ...(files && { files }),
      ...(patch && { patch }),
      ...(watched && { watched }),
      ...(effects && { effects }),
      ...(end && { end }),
      ...(truth && { truth }),
    }),
  };
}
