export { decisionParents, decisionTypes } from "./decision-types.ts";
export { renderDecision } from "./render.ts";
export { type DecisionEvent, decisionSchema } from "./schema.ts";
export { requiredChecks } from "./verdicts.ts";
export { decision } from "./view.ts";
