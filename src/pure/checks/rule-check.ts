import type { CheckGroup, Evidence } from "../events/index.ts";
import { changedPaths, pathEvidence } from "./changed-paths.ts";
import { type Check, type PlannedEffects, pass, unknown, type Verdict, verdict } from "./check.ts";
import { unlisted } from "./command-checks.ts";
import { commandEvidence } from "./command-evidence.ts";
import type { RunEvidence } from "./evidence.ts";
import { matchesAny, touchesAny } from "./globs.ts";
import { isText } from "./patch-files.ts";

/** The places that a rule can search. */
export const PLACES = ["answer", "added", "paths", "commands"] as const;

/** A check as data: what must or must not occur in the answer, in added lines, among changed paths or among commands. */
export interface Rule {
  readonly id: string;
  readonly group: CheckGroup;
  readonly title: string;
  readonly in: (typeof PLACES)[number];
  /** Regular expressions; for paths, patterns. */
  readonly forbid: readonly string[];
  readonly require: readonly string[];
  /** For added lines: the files to search. Empty: all. */
  readonly paths: readonly string[];
  readonly severity: "fail" | "warn";
}

/** The searched items. */
interface Searched {
  readonly items: readonly { readonly text: string; readonly evidence: Evidence }[];
  /** Why the items may be incomplete; undefined: they are complete. */
  readonly gap?: string;
}

export function ruleCheck(rule: Rule): Check {
  const { id, group, title, severity } = rule;
  const isForbidden = rule.in === "paths" ? (text: string, pattern: string) => touchesAny(text, [pattern]) : matches;
  const isRequired = rule.in === "paths" ? (text: string, pattern: string) => matchesAny(text, [pattern]) : matches;
  return {
    id,
    group,
    title,
    judge(run): Verdict {
      const searched = search(rule, run);
      if (searched === undefined) return unknown(`${NOUNS[rule.in]} not observed.`);
      const { items, gap } = searched;
      const forbidden = items.filter(({ text }) => rule.forbid.some((pattern) => isForbidden(text, pattern)));
      if (forbidden.length > 0)
        return verdict(
          severity,
          `${title}: a forbidden match was found.`,
          forbidden.map(({ evidence }) => evidence),
        );
      const missing = rule.require.filter((pattern) => !items.some(({ text }) => isRequired(text, pattern)));
      if (gap !== undefined && (missing.length > 0 || rule.forbid.length > 0)) return unknown(`No violation is known, but ${gap}.`);
      const whole = rule.in === "answer" ? items.map(({ evidence }) => evidence) : [];
      if (missing.length > 0) return verdict(severity, `${title}: ${missing.join(", ")} is missing.`, whole);
      return pass(`${title}: yes.`, whole);
    },
    ...(severity === "fail" && rule.forbid.length > 0 && NEEDS.has(rule.in) && { needs: NEEDS.get(rule.in) as "programs" | "places" }),
    refuseCall(call) {
      if (severity !== "fail") return undefined;
      const items = plannedItems(rule, call);
      const found = rule.forbid.find((pattern) => items.some((text) => isForbidden(text, pattern)));
      return found === undefined ? undefined : `${title}: ${found} is forbidden`;
    },
  };
}

/** What a call would add to the places that a rule searches. The answer is not known before the end. */
function plannedItems({ in: place, paths: within }: Rule, { writes, commands, added }: PlannedEffects): readonly string[] {
  if (place === "paths") return writes.flat();
  if (place === "commands") return commands;
  if (place === "answer") return [];
  return within.length === 0 || writes.flat().some((path) => touchesAny(path, within)) ? added : [];
}

const NEEDS: ReadonlyMap<string, "programs" | "places"> = new Map([
  ["commands", "programs"],
  ["paths", "places"],
]);

const NOUNS = { answer: "The answer was", added: "Added lines were", paths: "Changed paths were", commands: "Commands were" } as const;

function matches(text: string, pattern: string): boolean {
  return new RegExp(pattern, "u").test(text);
}

function search({ in: place, paths: within }: Rule, run: RunEvidence): Searched | undefined {
  if (place === "answer") {
    if (run.answer === null) return undefined;
    return { items: [{ text: run.answer, evidence: { source: "stdout", excerpt: run.answer } }] };
  }
  if (place === "commands") {
    const sources = run.watched?.body.sources ?? [];
    if (sources.length === 0) return undefined;
    const evidence = commandEvidence(run.commands);
    const items = run.commands.map(({ body }, index) => ({
      text: body.argv.join(" "),
      evidence: evidence[index] ?? { source: "commands" as const },
    }));
    const gap = sources.includes("trace") ? unlisted(run) : "commands without a wrapper are not seen";
    return { items, ...(gap !== undefined && { gap }) };
  }
  const changed = changedPaths(run);
  if (changed === undefined) return undefined;
  const { gap } = changed;
  if (place === "paths") {
    const evidence = pathEvidence(changed.paths, changed.seq);
    const items = changed.paths.map(({ path }, index) => ({ text: path, evidence: evidence[index] ?? { source: "fs_diff" as const } }));
    return { items, ...(gap !== undefined && { gap }) };
  }
  if (run.patch === undefined && changed.paths.length > 0) return undefined;
  const files = (run.patch ?? []).filter(({ path }) => within.length === 0 || touchesAny(path, within));
  const items = files.flatMap(({ path, added }) =>
    added.map(({ line, text }) => ({ text, evidence: { source: "fs_diff" as const, path, line, excerpt: text.trim() } })),
  );
  const isUnread = files.some((file) => file.change !== "deleted" && !isText(file));
  const isCut = (run.files?.body.leftOut ?? 0) > 0 ? "some changes are not in the patch" : isUnread ? "binary files were not read" : gap;
  return { items, ...(isCut !== undefined && { gap: isCut }) };
}
