import { jsonLines, type Translator } from "../base/index.ts";
import type { ArtifactBody, Event, FilesChangedBody, WorkspaceBody } from "../events/index.ts";

/** Options for views; each view reads its own. */
export interface ViewOptions {
  /** `activity`: include the model's reasoning. */
  readonly reasoning?: boolean;
  /** `stream`: the spelling of type names. */
  readonly case?: "pascal" | "snake";
  /** `trajectory`, `capture`, `summary`, `markdown`: the case of which the run was a trial. */
  readonly evaluated?: Evaluated;
  /** `decision`: what the sealed files show of a run that was not observed. */
  readonly kept?: KeptRun | undefined;
}

/** What is on disk of a run, in addition to its events. */
export interface KeptRun {
  readonly startedAt: number;
  /** Empty: not known. */
  readonly argv: readonly string[];
  readonly outputs: readonly ArtifactBody[];
  readonly workspace?: WorkspaceBody;
  readonly changes?: Omit<FilesChangedBody, "leftOut">;
}

/** What an evaluation knows about a run in addition to its events. */
export interface Evaluated {
  readonly id: string;
  /** Set if it differs from the prompt of the run: several turns. */
  readonly input?: string | readonly string[];
  readonly expected?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The number of the trial, from 1. */
  readonly trial?: number;
  /** The agent's name in the results. */
  readonly agent?: string;
  /** The evaluation that the run belongs to, and the hash of its settings: a run counts nowhere else. */
  readonly evaluation?: string;
  readonly configuration?: string;
}

/** A pure projection of events into one published format. */
export interface View<Out extends object = object> {
  readonly id: string;
  readonly title: string;
  /** Its records are complete only when the run is sealed, unless the run is observed: a live reader gets them then. */
  readonly needsSeal?: true;
  /** It holds the run until the end, and then makes one record. The others need the same memory for a run of any length. */
  readonly holdsRun?: true;
  /** Prints a record of a format that is text instead of JSON. */
  text?(record: Out): string;
  open(options?: ViewOptions): Projection<Out>;
}

export interface Projection<Out> extends Translator<Event, Out> {
  /** The event that completed a record, if the record was held back until a later one. */
  source?(record: Out): Event | undefined;
}

/** The inner events, from which several views can be built in one pass. */
export const innerEvents: View<Event> = { id: "events", title: "", open: () => ({ push: (event) => [event], end: () => [] }) };

/** Records as a program reads them: JSON lines, or the view's text. */
export function textOf({ text }: Pick<View, "text">, records: readonly object[]): string {
  return text === undefined ? jsonLines(records) : records.map((record) => text(record)).join("");
}

/** A view whose records are passed through `map`, event by event. */
export function mapView<In extends object, Out extends object>(
  view: View<In>,
  map: (records: readonly In[], event: Event, source: (record: In) => Event) => readonly Out[],
): View<In | Out> {
  return {
    ...view,
    open(options) {
      const inner = view.open(options);
      return {
        push: (event) => map(inner.push(event), event, (record) => inner.source?.(record) ?? event),
        end: () => inner.end(),
      };
    },
  };
}
