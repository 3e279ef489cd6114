/** The names of our agents, also in the lines they print: `native` has tools, `rlm` writes programs. */
export const NATIVE = "native";
export const RLM = "rlm";
