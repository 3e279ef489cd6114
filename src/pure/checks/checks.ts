import { jsonOnly, noEmojis, truthful } from "./answer-checks.ts";
import type { Check } from "./check.ts";
import { commandPassed, testsRequired } from "./command-checks.ts";
import { noDeletedTests, noSecrets, noWeakenedTests } from "./file-checks.ts";
import { noNetwork } from "./network-check.ts";
import { onlyPaths } from "./path-check.ts";
import { permissionsKept } from "./permission-check.ts";
import { diffSize, noCiChanges, noNewDependencies } from "./scope-checks.ts";

/** The checks of specification 003. Every evaluation includes them, requested or not. */
export const REQUIRED: readonly Check[] = [jsonOnly, noEmojis, noCiChanges, testsRequired];

/** Every check, in the order of reporting. */
export const checks: readonly Check[] = [
  ...REQUIRED,
  onlyPaths,
  noNewDependencies,
  diffSize,
  noNetwork,
  permissionsKept,
  noDeletedTests,
  noWeakenedTests,
  noSecrets,
  commandPassed,
  truthful,
];
