/** What the agents of this package are called, in what they say themselves, too: the one with tools, and the one that writes programs. */
export const NATIVE = "native";
export const RLM = "rlm";
