import { namedOrSuggest } from "../../pure/base/index.ts";
import { type CheckOptions, checks, refusedOption } from "../../pure/checks/index.ts";

export const CONSTRAINT_ID = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/;

/** A word that looks like the id of a check and is none is a mistake: nobody would ever check it. One of one's own begins with `custom.`. */
export function unknownConstraint(id: string): string | undefined {
  if (!CONSTRAINT_ID.test(id) || id.startsWith("custom.") || checks.some((check) => check.id === id)) return undefined;
  const known = checks.map((check) => check.id);
  return `${namedOrSuggest("constraint", id, known)} One of your own is called custom.<name>.`;
}

/** What is wrong with the options of a constraint, and at which of them. */
export function refusedOptions(id: string, options: CheckOptions): ReturnType<typeof refusedOption> {
  const check = checks.find((each) => each.id === id);
  return check && refusedOption(check, options);
}

/** What it asks for, in the words of its check. */
export function titleOf(id: string): string | undefined {
  return checks.find((check) => check.id === id)?.title;
}
