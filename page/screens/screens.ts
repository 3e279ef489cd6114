import { compareScreen } from "./compare.tsx";
import { resultsScreen } from "./results.tsx";
import { runScreen } from "./run.tsx";
import { runsScreen } from "./runs.tsx";
import type { Screen } from "./screen.ts";

/** All screens. The first is the default. */
export const screens: readonly Screen[] = [runsScreen, resultsScreen, compareScreen];

/** `#/runs/<id>` is a run; the list is `#/runs`. */
export const oneRun: Screen = runScreen;
