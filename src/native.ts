/** `harness-recorder/native`: agents in your own process. test/project/exports.test.ts pins the list. */

export type {
  CallRule,
  Harness,
  HarnessEvent,
  HarnessEventOf,
  HarnessEventType,
  RelayAnswer,
  ToolOutput,
  ToolParseError,
  Usage,
} from "./pure/events/index.ts";
export * from "./work/native/index.ts";
