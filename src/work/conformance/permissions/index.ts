/** What agents do at each level of permissions, judged by what is there afterwards. */

export { effects } from "./effects.ts";
export { levels } from "./levels.ts";
export { matrixProblems, merged, type Row } from "./matrix.ts";
export { permissionsPage } from "./page.ts";
export { tryLevel } from "./try-level.ts";
