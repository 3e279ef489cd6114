import { namedOrSuggest } from "../../pure/base/index.ts";
import { type CheckOptions, checks, refusedOption } from "../../pure/checks/index.ts";

export const CONSTRAINT_ID = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/;

/** A name that looks like a check's id but is not one is a mistake: it would never be checked. Custom ids begin with `custom.`. */
export function unknownConstraint(id: string): string | undefined {
  if (!CONSTRAINT_ID.test(id) || id.startsWith("custom.") || checks.some((check) => check.id === id)) return undefined;
  const known = checks.map((check) => check.id);
  return `${namedOrSuggest("constraint", id, known)} Name your own constraint custom.<name>.`;
}

/** The first invalid option of a constraint, and the problem with it. */
export function refusedOptions(id: string, options: CheckOptions): ReturnType<typeof refusedOption> {
  const check = checks.find((each) => each.id === id);
  return check && refusedOption(check, options);
}

export function titleOf(id: string): string | undefined {
  return checks.find((check) => check.id === id)?.title;
}
