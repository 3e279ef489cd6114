import { eventReader } from "../../src/pure/events/index.ts";
import { type Evaluated, textOf, type View } from "../../src/pure/pipeline/index.ts";
import { eachEvent, type RunSource } from "../source/index.ts";

/** What a view says of so many events, one after the other; of one that has much to say, of fewer. */
export interface ViewPage {
  readonly first: number;
  readonly last: number;
  /** Kept by the browser outside of the page's memory. */
  readonly text: Blob;
}

const PAGE_EVENTS = 20_000;
const PAGE_CHARS = 4_000_000;
/** Asked for at a time, so that a page is not much longer than it may be. */
const PART_EVENTS = 2000;

/**
 * A view of a run, page by page. It is one projection that goes on from page to page, as `derive` pushes one through the whole run:
 * the pages, put together, are what that prints.
 */
export function viewPages(view: View, source: RunSource, evaluated: Evaluated) {
  const eventOf = eventReader();
  const projection = view.open({ evaluated });
  const pages: ViewPage[] = [];
  let seen = 0;
  let isOver = false;

  /** Reads on to the end of a page; a page on which nothing was said yet goes on. Answers with undefined where it was left, or nothing has come since. */
  async function next(count: number, isWhole: boolean, told: (seen: number) => boolean): Promise<ViewPage | undefined> {
    if (seen >= count && (isOver || !isWhole)) return undefined;
    const first = seen + 1;
    const parts: string[] = [];
    let chars = 0;
    const isFull = () => chars > PAGE_CHARS || (chars > 0 && seen - first + 1 >= PAGE_EVENTS);
    while (seen < count && !isFull()) {
      const to = Math.min(count, seen + PART_EVENTS);
      for await (const events of eachEvent(source, seen + 1, to)) {
        const text = textOf(
          view,
          events.flatMap((event) => projection.push(eventOf(event))),
        );
        parts.push(text);
        chars += text.length;
        seen += events.length;
        if (isFull()) break;
      }
      if (!told(seen)) return undefined;
      if (seen < to && !isFull()) throw new Error("The events could not be read to their end.");
    }
    if (seen >= count && isWhole && !isOver) {
      isOver = true;
      parts.push(textOf(view, projection.end()));
    }
    if (seen < first && chars === 0 && parts.join("") === "") return undefined;
    const page = { first, last: seen, text: new Blob(parts, { type: "text/plain" }) };
    pages.push(page);
    return page;
  }

  return {
    pages: pages as readonly ViewPage[],
    get seen() {
      return seen;
    },
    next,
  };
}
