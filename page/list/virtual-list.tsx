import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { type ListLayout, listLayout } from "./list-layout.ts";

export interface ListHandle {
  /** Scrolls a row to the upper third, or just into view. */
  scrollTo(index: number, how?: "near" | "third" | "end"): void;
  focus(): void;
}

interface Props {
  readonly label: string;
  readonly class: string;
  readonly count: number;
  /** Changes if the rows are different ones, not if some were appended. */
  readonly version?: unknown;
  readonly keyOf: (i: number) => string | number;
  /** The estimated height of a row that was not drawn yet. */
  readonly estimate: (i: number) => number;
  readonly item: (i: number) => ComponentChildren;
  /** Stays at the end while rows are added, if it was there. */
  readonly follows?: boolean;
  readonly onWindow?: (first: number, last: number) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly handle?: { current: ListHandle | null };
}

/** Renders only visible rows: a list of a million is as fast as one of ten. */
export function VirtualList({ label, count, version, keyOf, estimate, item, follows, onWindow, onKeyDown, handle, class: kind }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number, _: undefined) => n + 1, 0);
  const before = useRef<ListLayout | undefined>(undefined);
  const layout = useMemo(() => {
    const next = listLayout(count, estimate);
    if (before.current !== undefined) next.succeed(before.current, follows ?? false);
    before.current = next;
    return next;
  }, [version]);
  layout.follows = follows ?? false;
  if (layout.count !== count) layout.resize(count, estimate);
  const sized = useSizes(layout, scroller, () => redraw(undefined));
  const { first, last, rows, size } = layout.window();

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    layout.settle(element);
    onWindow?.(first, last);
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const wheel = (event: WheelEvent) => {
      if (!layout.wheel(element, event)) return;
      event.preventDefault();
      redraw(undefined);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [layout]);

  if (handle !== undefined) {
    handle.current = {
      scrollTo(index, how = "near") {
        layout.reveal(index, how);
        redraw(undefined);
      },
      focus: () => scroller.current?.focus(),
    };
  }

  return (
    <div
      ref={scroller}
      class={`scroller ${kind}`}
      role="feed"
      aria-label={label}
      aria-busy="false"
      tabIndex={0}
      onScroll={(event) => layout.scrolled(event.currentTarget) && redraw(undefined)}
      onKeyDown={onKeyDown}
    >
      <div class="sizer" style={{ height: `${size}px` }}>
        {rows.map(({ index, y }) => (
          <div key={keyOf(index)} class="vrow" data-index={index} ref={sized} style={{ transform: `translateY(${y}px)` }}>
            {item(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Measures rendered rows. Returns the `ref` for each. */
function useSizes(layout: ListLayout, scroller: { current: HTMLDivElement | null }, changed: () => void) {
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        let isOther = false;
        for (const { target, borderBoxSize } of entries) {
          if (!(target instanceof HTMLElement) || !target.isConnected) continue;
          const height = borderBoxSize[0]?.blockSize ?? 0;
          if (target === scroller.current) isOther = layout.setViewport(height) || isOther;
          else isOther = layout.setHeight(Number(target.dataset["index"]), height) || isOther;
        }
        if (isOther) changed();
      }),
    [layout],
  );
  useEffect(() => {
    if (scroller.current !== null) observer.observe(scroller.current);
    for (const row of scroller.current?.querySelectorAll(".vrow") ?? []) observer.observe(row);
    return () => observer.disconnect();
  }, [observer]);
  return useMemo(
    () => (element: Element | null) => {
      if (element !== null) observer.observe(element);
    },
    [observer],
  );
}
