import { eventReader } from "../../src/pure/events/index.ts";
import { type Evaluated, textOf, type View } from "../../src/pure/pipeline/index.ts";
import { eachEvent, type RunSource } from "../source/index.ts";

/** The output of a view for a range of events; a long output covers fewer events. */
export interface ViewPage {
  readonly first: number;
  readonly last: number;
  /** A blob, so that the text is not in the page's memory. */
  readonly text: Blob;
}

const PAGE_EVENTS = 20_000;
const PAGE_CHARS = 4_000_000;
/** Events per request; small, so that a page hardly exceeds its limit. */
const PART_EVENTS = 2000;

/**
 * A view of a run, page by page. One projection continues from page to page, so that all pages together equal the output of
 * `derive`.
 */
export function viewPages(view: View, source: RunSource, evaluated: Evaluated) {
  const eventOf = eventReader();
  const projection = view.open({ evaluated });
  const pages: ViewPage[] = [];
  let seen = 0;
  let isOver = false;

  /** Reads to the end of the next page, past events without output. Undefined if it was stopped or there are no new events. */
  async function next(count: number, isWhole: boolean, onProgress: (seen: number) => boolean): Promise<ViewPage | undefined> {
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
      if (!onProgress(seen)) return undefined;
      if (seen < to && !isFull()) throw new Error("Not all events could be read.");
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
