import type { Columns } from "./columns.ts";
import { kindName } from "./kind-name.ts";

/** How high an event is likely to be, before it was drawn. */
export function rowHeight({ kind }: Columns, i: number): number {
  switch (kindName(kind[i] ?? 255)) {
    case "message":
      return 92;
    case "tool-start":
      return 66;
    case "warning":
    case "error":
      return 88;
    case "plan":
      return 120;
    case "text-delta":
    case "reasoning-delta":
      return 34;
    default:
      return 44;
  }
}
