import { oneOf, type Static } from "../base/index.ts";
import type { TrialEvidence } from "./trial-evidence.ts";

/** What keeps an agent from reaching a model. None of it is the agent's failure, and each has a remedy. */
export const startProblem = oneOf("credentials", "root", "git", "program", "settings", "setup");
export type StartProblem = Static<typeof startProblem>;

export interface StartAdvice {
  readonly what: string;
  readonly remedy: string;
}

export const startAdvice: Readonly<Record<StartProblem, StartAdvice>> = {
  credentials: { what: "not logged in", remedy: "Log in with the agent's own program, or pass its key as a variable." },
  root: { what: "refused to run as root", remedy: "Run as a different user, or with other permissions than full." },
  git: { what: "needs a git repository", remedy: "Use a workspace that is a git repository." },
  program: { what: "the program cannot be started", remedy: "Install it, or pass the path of its program." },
  settings: { what: "unknown model, provider or configuration", remedy: "Check the name of the model and the agent's configuration." },
  setup: { what: "the setup of the case failed", remedy: "Run the setup by hand in a copy of the case's workspace, and correct it." },
};

/** What the CLIs print when they give up before they ask a model. Fixtures of each are in test/pure/verdicts. */
const SIGNS: readonly (readonly [StartProblem, RegExp])[] = [
  ["program", /\bbinary not installed|missing optional dependency @/i], // Claude Code, Codex: a script of npm without its program
  ["root", /root\/sudo privileges|(?:cannot|must not|do not|refus\w+ to) run as root/i],
  ["git", /not inside a trusted directory|not (?:in|inside) a git repository|not a git repository/i],
  ["credentials", /not logged in|please (?:run )?\/?log ?in|invalid api key|no api key|api key (?:is )?(?:missing|required|not)/i],
  [
    "settings",
    /issue with the selected model|unknown (?:or disabled )?provider|model provider \S+ not found|model not found|models\/\S+ is not found|error loading config/i,
  ],
];

/** Within a failure of the API, these are about the account. */
const REJECTED = /\b40[13]\b|unauthori[sz]ed|unauthenticated|authenticat|not logged in|log ?in\b|api.?key|credential|environment variable/i;

const UNSTARTED = /\bENOENT\b|\bEACCES\b|\bENOEXEC\b|not found|cannot execute|permission denied|exec format error/i;

/** Exit codes by which a shell reports that a program does not exist or cannot be executed. */
const SHELL_UNSTARTED = /exited with code 12[67]\b/;

/**
 * Why no model was reached; undefined if one was, or if the reason is not one of these. An agent that fails on its own before it asks a
 * model has failed: only a recognized reason excuses it.
 */
export function startProblemOf({ status, reason, isStarted, isModelSeen, errors }: TrialEvidence): StartProblem | undefined {
  if (isModelSeen) return undefined;
  const text = errors.join("\n");
  if (status === null) {
    if (isStarted) return undefined;
    if (/^the setup /m.test(text)) return "setup";
    return UNSTARTED.test(text) ? "program" : undefined;
  }
  if (status === "failed" && (reason === "not-started" || SHELL_UNSTARTED.test(text))) return "program";
  if (status === "infrastructure") return REJECTED.test(text) ? "credentials" : undefined;
  return status === "failed" ? SIGNS.find(([, sign]) => sign.test(text))?.[0] : undefined;
}
