import type { Event } from "./event.ts";
import type { Translator } from "./translator.ts";

/** What a view's caller may choose; each view reads what concerns it. */
export interface ViewOptions {
  /** `activity`: also what the model was thinking. */
  readonly reasoning?: boolean;
  /** `stream`: how its type names are written. */
  readonly case?: "pascal" | "snake";
}

/** A pure projection of events into one published format. */
export interface View<Out extends object = object> {
  readonly id: string;
  readonly title: string;
  open(options?: ViewOptions): Translator<Event, Out>;
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
