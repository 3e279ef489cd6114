import { agentParsers } from "./agent-parsers.ts";
import { evaluatedParsers } from "./evaluated-parsers.ts";
import { observedParsers } from "./observed-parsers.ts";
import type { Parser } from "./parser.ts";
import { recordedParsers } from "./recorded-parsers.ts";
import { saidParsers } from "./said-parsers.ts";
import { storedParsers } from "./stored-parsers.ts";

/** Every reader of foreign input. `root`: the project, where the valid inputs are. */
export function parsersIn(root: string): readonly Parser[] {
  return [
    ...agentParsers(root),
    ...recordedParsers(root),
    ...evaluatedParsers(root),
    ...observedParsers(root),
    ...saidParsers(root),
    ...storedParsers(root),
  ];
}
