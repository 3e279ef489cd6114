/** How people name a run on the command line. */
export const RUN = "a run: its id, a unique prefix, last, or its directory";
