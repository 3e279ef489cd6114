import type { Columns } from "./columns.ts";
import { kindName } from "./kind-name.ts";

/** The estimated height of an event that was not drawn yet. */
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
