/** Starts, watches and ends programs; speaks ACP with those that do. */

export type { Conversation, converse } from "./acp/index.ts";
export { checkStart } from "./check-start.ts";
export { additionsOf, agentEnvironment, onlyVariables } from "./environment.ts";
export { failedStart } from "./failed-start.ts";
export { findBinary, installed, type Wanted } from "./find-binary.ts";
export { GUARD_NAME, sweep } from "./guardian.ts";
export { insideProgram } from "./inside-program.ts";
export type { Exceeded, Launch, LaunchExit, Launched, Launcher, LaunchStdio } from "./launcher.ts";
export { type LineProgram, lineProgram } from "./line-program.ts";
export { loadConversation } from "./load-conversation.ts";
export { launchWalled, localLauncher } from "./local-launcher.ts";
export { isModule, type ModuleCall, moduleCall, moduleLoader, moduleProgram } from "./module-program.ts";
export { copyCredentials, makePrivatePlace, type PrivatePlace, readOwn } from "./private-place.ts";
export { probeVersion } from "./probe-version.ts";
export { processFile, processIds, processStat } from "./process-files.ts";
export { endProcessesIn, orphansIn } from "./processes-in.ts";
export { type Program, type ProgramEnd, runProgram } from "./run-program.ts";
export { untilGivenUp } from "./until-given-up.ts";
export { uptime, writersOf } from "./writers-of.ts";
