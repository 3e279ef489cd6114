export { DECISION_VERSION, type DecisionEvent, decisionParents, decisionTypes } from "./event.ts";
export { requiredChecks } from "./verdicts.ts";
export { decision } from "./view.ts";
