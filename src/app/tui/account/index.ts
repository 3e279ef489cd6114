export { describeCall } from "./describe-call.ts";
export { liveAccount } from "./live-account.ts";
export { type RunState, runState } from "./run-state.ts";
export { statusLine, tokensSoFar } from "./status-line.ts";
export { transcript } from "./transcript.ts";
