import colors from "picocolors";

const NARROWEST = 50;

/** The one that stdout is, or would be. */
export const terminal = {
  /** A terminal that does not tell, or says 0, gets the usual width. */
  get width(): number {
    return Math.max(NARROWEST, process.stdout.columns || 80);
  },
  colors,
};
