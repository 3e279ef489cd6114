/** What happened, seen from outside the agent: files, commands, checks, a signed proof. */

export { watchCommands } from "./commands/index.ts";
export { checkNames, evaluateRun, readPolicy } from "./evaluation/index.ts";
export { readScenario } from "./read-scenario.ts";
export { promptScenario, type Scenario } from "./scenario.ts";
export { checkKey, sign } from "./ssh-signature.ts";
export { type LiveObservation, type Parts, startObservation } from "./start-observation.ts";
export { verifyTarget } from "./verify/index.ts";
export { writeBundle } from "./write-bundle.ts";
