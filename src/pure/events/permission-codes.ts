/** The code of the warning that a call succeeded which a level or a rule forbids. */
export const EXCEEDED = "permissions-exceeded";

/** The code of the warning that the agent cannot take a level or a rule. */
export const UNENFORCED = "permissions-ignored";
