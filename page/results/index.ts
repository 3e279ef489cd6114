export { Case } from "./case.tsx";
export { CostQuality } from "./cost-quality.tsx";
export { Differences } from "./differences.tsx";
export { Flakiest } from "./flakiest.tsx";
export { Matrix } from "./matrix.tsx";
export { Rates } from "./rates.tsx";
export { useResults } from "./use-results.ts";
