import { heights } from "./heights.ts";

/** Browsers cannot position elements below 33 million pixels, some not even there. */
const MOST_PIXELS = 12_000_000;
const MARGIN = 500;

export interface PlacedRow {
  readonly index: number;
  /** In pixels of the scrolling element. */
  readonly y: number;
}

interface Scrolls {
  scrollTop: number;
}
interface Wheel {
  readonly deltaY: number;
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
}

/**
 * Positions of the rows of a list. The scroll position is a row and an offset into it, so that nothing moves when rows above turn out
 * higher or lower than estimated. A list that is too high for a browser uses a lower element: its scrollbar is coarse then, and
 * this code handles the wheel to keep it precise.
 */
export function listLayout(initial: number, estimate: (i: number) => number) {
  const sizes = heights(initial, estimate);
  let index = 0;
  let offset = 0;
  let viewport = 800;
  let follows = false;
  let physical = 0; // the last known scrollTop

  const top = () => Math.max(0, Math.min(sizes.top(index) + offset, lowest()));
  const lowest = () => Math.max(0, sizes.total - viewport);
  const size = () => Math.min(sizes.total, MOST_PIXELS);
  /** Pixels of the list per pixel of the element. */
  const scale = () => (sizes.total <= MOST_PIXELS ? 1 : lowest() / Math.max(1, MOST_PIXELS - viewport));
  const isAtEnd = () => top() >= lowest() - 4;
  /** A list shorter than the window is also at its end, but must not jump when it grows. */
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
    /** Replaces a different list: takes over its height, and stays at the end if that list was followed. */
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
    /** Whether the list stays at its end while rows are added. */
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
    /** The rows to draw. */
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
    /** After drawing: scrolls the element to the current position. */
    settle(element: Scrolls): void {
      const wanted = top() / scale();
      if (Math.abs(element.scrollTop - wanted) < 1) return;
      element.scrollTop = wanted;
      physical = element.scrollTop;
    },
    /** The user scrolled. */
    scrolled(element: Scrolls): boolean {
      const now = element.scrollTop;
      if (Math.abs(now - physical) < 1) return false; // our own scrolling
      physical = now;
      look(now * scale());
      return true;
    },
    /** Whether this code handles the wheel instead of the browser. */
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
