import type { ListHandle } from "../list/index.ts";
import { isTyping, useKeys } from "../parts/index.ts";
import type { Columns } from "./columns.ts";
import type { Visible } from "./visible.ts";

interface Where {
  readonly rows: Visible;
  readonly rowCount: number;
  readonly columns: Columns;
  readonly selected: number;
  readonly select: (seq: number, how: "near" | "third") => void;
  readonly toggle: (seq: number) => void;
  readonly hits: readonly number[];
  readonly inspect: (isInspecting: boolean) => void;
  readonly list: { readonly current: ListHandle | null };
}

export function useTimelineKeys({ rows, rowCount, columns, selected, select, toggle, hits, inspect, list }: Where) {
  const row = selected === 0 ? -1 : rows.rowOf(selected - 1);
  const go = (to: number) => {
    if (rowCount > 0) select(rows.at(Math.max(0, Math.min(to, rowCount - 1))) + 1, "near");
  };

  function jumpToHit(by: 1 | -1): void {
    const next = by === 1 ? hits.find((seq) => seq > selected) : hits.findLast((seq) => seq < selected);
    const to = next ?? (by === 1 ? hits[0] : hits.at(-1));
    if (to !== undefined) select(to, "third");
  }

  function jumpToProblem(by: 1 | -1): void {
    for (let at = row + by; at >= 0 && at < rowCount; at += by) {
      if (columns.problem[rows.at(at)] !== 1) continue;
      select(rows.at(at) + 1, "third");
      return;
    }
  }

  function act({ key }: KeyboardEvent): boolean {
    if (key === "ArrowDown" || key === "j") go(row + 1);
    else if (key === "ArrowUp" || key === "k") go(row - 1);
    else if (key === "Home" || key === "g") go(0);
    else if (key === "End" || key === "G") go(rowCount - 1);
    else if ((key === "Enter" || key === "o") && selected > 0) toggle(selected);
    else if (key === "r" && selected > 0) inspect(true);
    else if (key === "Escape") inspect(false);
    else if (key === "n") jumpToHit(1);
    else if (key === "N") jumpToHit(-1);
    else if (key === "e") jumpToProblem(1);
    else if (key === "E") jumpToProblem(-1);
    else return false;
    return true;
  }

  /** Leaves keys to a focused button or link. */
  function isOurs({ target, ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || isTyping(target)) return false;
    return !(key === "Enter" && target instanceof Element && target.closest("a,button,summary"));
  }

  useKeys((event) => {
    if (!isOurs(event) || event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
    if (event.key === "/") {
      document.getElementById("search")?.focus();
      event.preventDefault();
    } else if (act(event)) {
      event.preventDefault();
      if (event.key !== "Escape") list.current?.focus();
    }
  });
  return { jumpToHit };
}
