import { colors } from "./sequences.ts";

const NARROWEST = 50;

export const terminal = {
  /** A terminal that reports no width, or 0, gets 80 columns. */
  get width(): number {
    return Math.max(NARROWEST, process.stdout.columns || 80);
  },
  colors,
};
