/** Output for people and pipes: tables, progress, exit codes. */

export { exitCode, setExitCode } from "./exit-code.ts";
export { exitCodes, FAILED, OK, PIPE_CLOSED, statusExitCode, USAGE } from "./exit-codes.ts";
export { flagOf, sentenceOf, withFlags } from "./flags.ts";
export { inTerminal, isClosedPipe, write, writeAside, writeJson, writeNow } from "./output.ts";
export { printList, printTable } from "./print-list.ts";
export { unwatchReader, watchReader } from "./reader.ts";
export { report, say } from "./report.ts";
export { saveText } from "./save-text.ts";
export { colors, sequence } from "./sequences.ts";
export { onStopSignals } from "./signals.ts";
export { standardInput } from "./standard-input.ts";
export { fitted, highlighted, plainOf } from "./styled.ts";
export { terminal } from "./terminal.ts";
export { withOutput } from "./with-output.ts";
export { withProgress } from "./with-progress.ts";
