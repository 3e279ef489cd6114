export const RUN = "a run: its id, a unique prefix, last, or its directory";
