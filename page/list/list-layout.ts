import { heights } from "./heights.ts";

/** Browsers place nothing below 33 million pixels, and some less. */
const MOST_PIXELS = 12_000_000;
const MARGIN = 500;

export interface PlacedRow {
  readonly index: number;
  /** In pixels of the element that scrolls. */
  readonly y: number;
}

/** An element that scrolls, and the turn of a wheel over it. */
interface Scrolls {
  scrollTop: number;
}
interface Wheel {
  readonly deltaY: number;
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
}

/**
 * Where the rows of a list are. The place one looks at is a row and an offset into it, so that rows above it can turn out higher or
 * lower than was thought and nothing moves. A list too high for a browser is shown in a lower element: dragging its bar is coarse
 * then, and the wheel is taken over, so that it stays fine.
 */
export function listLayout(initial: number, estimate: (i: number) => number) {
  const sizes = heights(initial, estimate);
  let index = 0;
  let offset = 0;
  let viewport = 800;
  let follows = false;
  let physical = 0; // where the element was put, or scrolled to, last

  const top = () => Math.max(0, Math.min(sizes.top(index) + offset, lowest()));
  const lowest = () => Math.max(0, sizes.total - viewport);
  const size = () => Math.min(sizes.total, MOST_PIXELS);
  /** Real pixels for each of the element's. */
  const scale = () => (sizes.total <= MOST_PIXELS ? 1 : lowest() / Math.max(1, MOST_PIXELS - viewport));
  const isAtEnd = () => top() >= lowest() - 4;
  /** What is not longer than the window is at its end, too, and must not be scrolled when it turns out to be longer. */
  const staysAtEnd = () => isAtEnd() && (follows || top() > 0);

  function look(y: number): void {
    const bounded = Math.max(0, Math.min(y, lowest()));
    index = sizes.indexAt(bounded);
    offset = bounded - sizes.top(index);
  }

  return {
    get count() {
      return sizes.count;
    },
    /** Goes on in the place of another one: as high, and at the end where that was followed to it. */
    succeed(other: { readonly viewport: number; readonly isAtEnd: boolean }, stays: boolean): void {
      viewport = other.viewport;
      if (stays && other.isAtEnd) look(lowest());
    },
    get viewport() {
      return viewport;
    },
    get isAtEnd() {
      return isAtEnd();
    },
    /** Whether it stays at its end while there comes more. */
    set follows(wanted: boolean) {
      follows = wanted;
    },
    resize(count: number, estimateOf: (i: number) => number): void {
      const wasAtEnd = isAtEnd();
      if (count >= sizes.count) sizes.grow(count, estimateOf);
      else sizes.cut(count);
      if (follows && wasAtEnd) look(lowest());
      else look(top());
    },
    setViewport(height: number): boolean {
      if (height === viewport || height === 0) return false;
      const stays = staysAtEnd();
      viewport = height;
      if (stays) look(lowest());
      return true;
    },
    setHeight(i: number, height: number): boolean {
      if (height === 0 || Math.abs(sizes.height(i) - height) < 0.5) return false;
      const stays = staysAtEnd();
      sizes.set(i, height);
      if (stays) look(lowest());
      return true;
    },
    /** What is to be drawn. */
    window() {
      const y = top();
      const from = sizes.indexAt(Math.max(0, y - MARGIN));
      const shift = sizes.total <= MOST_PIXELS ? 0 : y / scale() - y;
      const rows: PlacedRow[] = [];
      let at = sizes.top(from);
      for (let i = from; i < sizes.count && at < y + viewport + MARGIN; i++) {
        rows.push({ index: i, y: at + shift });
        at += sizes.height(i);
      }
      const last = sizes.count === 0 ? 0 : sizes.indexAt(y + viewport);
      return { first: sizes.indexAt(y), last, rows, size: size() };
    },
    /** The element has been drawn: it is scrolled to where we look. */
    settle(element: Scrolls): void {
      const wanted = top() / scale();
      if (Math.abs(element.scrollTop - wanted) < 1) return;
      element.scrollTop = wanted;
      physical = element.scrollTop;
    },
    /** Somebody has scrolled it. */
    scrolled(element: Scrolls): boolean {
      const now = element.scrollTop;
      if (Math.abs(now - physical) < 1) return false; // it was us
      physical = now;
      look(now * scale());
      return true;
    },
    /** Whether we scroll in the browser's place. */
    wheel(element: Scrolls, { deltaY, deltaMode, ctrlKey }: Wheel): boolean {
      if (sizes.total <= MOST_PIXELS || ctrlKey) return false;
      look(top() + deltaY * (deltaMode === 1 ? 24 : deltaMode === 2 ? viewport : 1));
      element.scrollTop = top() / scale();
      physical = element.scrollTop;
      return true;
    },
    reveal(i: number, how: "near" | "third" | "end"): void {
      const start = sizes.top(i);
      const end = start + sizes.height(i);
      if (how === "end") look(lowest());
      else if (how === "third") look(start - viewport / 3);
      else if (start < top() + 8) look(start - 8);
      else if (end > top() + viewport - 8) look(Math.min(start - 8, end - viewport + 24));
    },
  };
}

export type ListLayout = ReturnType<typeof listLayout>;
