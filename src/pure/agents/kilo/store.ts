// The sessions of Kilo Code, seen in 7.7.7: `~/.local/share/kilo/kilo.db`, with the tables of OpenCode. Evidence: docs/reference/agents/kilo.md.
import { opencodeStoreOf } from "../opencode/index.ts";
import { kilo } from "./agent.ts";

export const kiloStore = opencodeStoreOf(kilo, "kilo");
