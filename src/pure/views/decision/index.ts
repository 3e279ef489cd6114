export { DECISION_VERSION, type DecisionEvent, decisionParents, decisionTypes } from "./event.ts";
export { renderDecision } from "./render.ts";
export { requiredChecks } from "./verdicts.ts";
export { decision } from "./view.ts";
