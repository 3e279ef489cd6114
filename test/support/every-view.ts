import type { View } from "../../src/pure/pipeline/view.ts";
import { views } from "../../src/pure/views/views.ts";

export interface Printed {
  readonly view: string;
  readonly record: object;
}

/** All views together: the bytes are translated once for all of them. */
export const everyView: View<Printed> = {
  id: "every view",
  title: "the records of every view",
  open(options) {
    const open = Object.values(views).map((view) => ({ view: view.id, projection: (view as View).open(options) }));
    const printed = (view: string, records: readonly object[]) => records.map((record) => ({ view, record }));
    return {
      push: (event) => open.flatMap(({ view, projection }) => printed(view, projection.push(event))),
      end: () => open.flatMap(({ view, projection }) => printed(view, projection.end())),
    };
  },
};
