import { getHeapStatistics } from "node:v8";
import { HarnessError } from "../../../pure/base/index.ts";
import type { View } from "../../../pure/pipeline/index.ts";

/** Of the memory that Node may use for what lives long. The rest is for the record and its text. */
const MOST = 0.8;
/** The limit that Node reports includes three halves of the space for young objects. */
const YOUNG = 48 * 2 ** 20;
/** Events between two looks, which take microseconds. */
const EVERY = 1024;

/** A view that holds the run, and ends with a sentence before Node runs out of memory: V8 ends the process, and our code cannot say why. */
export function withinMemory<Out extends object>(view: View<Out>): View<Out> {
  if (view.holdsRun !== true) return view;
  return {
    ...view,
    open(options) {
      const inner = view.open(options);
      let count = 0;
      return {
        ...inner,
        push(event) {
          if (++count % EVERY === 0) checkMemory(view.id, count);
          return inner.push(event);
        },
      };
    },
  };
}

function checkMemory(id: string, events: number): void {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  if (used < MOST * (limit - YOUNG)) return;
  const remedy = "Use a view that does not, such as trajectory or log, or let Node use more: NODE_OPTIONS=--max-old-space-size=<MB>";
  throw new HarnessError(
    "usage",
    `The view ${id} holds the run in memory, and after ${events.toLocaleString("en")} events ${Math.round(limit / 2 ** 20)} MB are not enough. ${remedy}`,
  );
}
