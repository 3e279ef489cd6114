import { jsonLines, type Translator } from "../base/index.ts";
import type { Event } from "../events/index.ts";

/** What a view's caller may choose; each view reads what concerns it. */
export interface ViewOptions {
  /** `activity`: also what the model was thinking. */
  readonly reasoning?: boolean;
  /** `stream`: how its type names are written. */
  readonly case?: "pascal" | "snake";
  /** `trajectory`, `capture`, `summary`, `markdown`: the case that the run was a trial of. */
  readonly evaluated?: Evaluated;
}

/** What an evaluation knows of a run beside its events. */
export interface Evaluated {
  readonly id: string;
  /** Where it is not the prompt of the run: several turns. */
  readonly input?: string | readonly string[];
  readonly expected?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Which trial of the case it is, counted from 1. */
  readonly trial?: number;
}

/** A pure projection of events into one published format. */
export interface View<Out extends object = object> {
  readonly id: string;
  readonly title: string;
  /** What is printed of a record where the format is a text and not JSON. */
  text?(record: Out): string;
  open(options?: ViewOptions): Translator<Event, Out>;
}

/** The inner events themselves: what several views are made of at once. */
export const innerEvents: View<Event> = { id: "events", title: "", open: () => ({ push: (event) => [event], end: () => [] }) };

/** What a program is given of records. */
export function textOf({ text }: Pick<View, "text">, records: readonly object[]): string {
  return text === undefined ? jsonLines(records) : records.map((record) => text(record)).join("");
}

/** The same view, with the records of each event passed through `map`. */
export function mapView<In extends object, Out extends object>(
  view: View<In>,
  map: (records: readonly In[], event: Event) => readonly Out[],
): View<In | Out> {
  return {
    ...view,
    open(options) {
      const inner = view.open(options);
      return { push: (event) => map(inner.push(event), event), end: () => inner.end() };
    },
  };
}

/** Another view, made of the records of a first one. */
export function viewOf<In extends object, Out extends object>(
  inner: View<In>,
  about: Omit<View<Out>, "open">,
  map: (record: In) => Out,
): View<Out> {
  return {
    ...about,
    open(options) {
      const translator = inner.open(options);
      return { push: (event) => translator.push(event).map(map), end: () => translator.end().map(map) };
    },
  };
}
