/** If the agent printed more bytes, views that hold the run are derived in a separate process: a tab and the page's server lack the memory. */
export const MOST_KEPT = 64 * 1024 * 1024;
