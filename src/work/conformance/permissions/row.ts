import type { Effect } from "./effects.ts";
import type { Level } from "./levels.ts";

/** What one agent did at one level. */
export type Row = Tried | Rejected;

interface Tried {
  readonly agent: string;
  /** Its name and version. */
  readonly label: string;
  readonly level: Level;
  readonly did: Readonly<Record<Effect, boolean>>;
  /** Of its runs: more than one if it stopped at a denial and was started again with the rest. */
  readonly status: readonly string[];
  /** The tools that it offered: at `full`, all that it has. */
  readonly tools?: readonly string[];
  /** The codes of its runs' warnings. */
  readonly warnings: readonly string[];
}

/** harness did not start it. */
interface Rejected extends Pick<Tried, "agent" | "label" | "level"> {
  readonly rejected: string;
}
