import type { CheckBody, CheckGroup, CheckStatus } from "../../events/index.ts";
import type { Verdict, Verdicts } from "./schema.ts";

/** The checks that specification 003 requires for every run, with their groups. One that the scenario does not request stays unknown. */
export const requiredChecks: Readonly<Record<string, CheckGroup>> = {
  "scope.no_ci_changes": "policy",
  "style.no_emojis": "policy",
  "quality.tests_required": "quality",
  "output.json_only": "alignment",
};

/** The verdict of each group. `asked` holds the ids that the scenario names. */
export function verdictsOf(checks: readonly CheckBody[], asked: ReadonlySet<string>): Verdicts {
  const alignment = verdict(checks, "alignment", asked);
  return {
    alignment: { status: alignment.status, score: score(alignment), checks: alignment.checks, violations: alignment.violations },
    quality: verdict(checks, "quality", asked),
    policy: verdict(checks, "policy", asked),
  };
}

export function noVerdicts(): Verdicts {
  const none = { checks: [], violations: [] };
  return {
    alignment: { status: "unknown", score: null, ...none },
    quality: { status: "unknown", ...none },
    policy: { status: "unknown", ...none },
  };
}

function verdict(all: readonly CheckBody[], group: CheckGroup, asked: ReadonlySet<string>): Verdict {
  const checks = all.filter((check) => check.group === group);
  const counted = checks.filter(({ id, status }) => status !== "unknown" || asked.has(id) || !Object.hasOwn(requiredChecks, id));
  return {
    status: worst(counted.map(({ status }) => status)),
    checks: checks.map(({ id, status, message, evidence }) => ({ id, status, message, evidence })),
    violations: checks.flatMap(({ id, status, message, evidence }) =>
      status === "warn" || status === "fail" ? [{ id, severity: status, message, evidence }] : [],
    ),
  };
}

/** An undecided check keeps the group from passing, but does not fail it. */
function worst(statuses: readonly CheckStatus[]): CheckStatus {
  for (const status of ["fail", "warn", "unknown"] as const) if (statuses.includes(status)) return status;
  return statuses.length === 0 ? "unknown" : "pass";
}

function score({ checks }: Verdict): number | null {
  const decided = checks.filter(({ status }) => status !== "unknown");
  return decided.length === 0 ? null : decided.filter(({ status }) => status === "pass").length / decided.length;
}
