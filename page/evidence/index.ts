export { Changes } from "./changes.tsx";
export { Checks } from "./checks.tsx";
export { Commands } from "./commands.tsx";
export { Effects } from "./effects.tsx";
export { Findings } from "./findings.tsx";
export { useEvidence } from "./use-evidence.ts";
