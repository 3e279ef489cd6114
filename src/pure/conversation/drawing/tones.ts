import type { Step } from "../step.ts";

/** The colors of a drawing in light and dark mode. */
export const tones = {
  page: { light: "#fbfbfa", dark: "#16181b" },
  lane: { light: "#f1f1ee", dark: "#1c1f23" },
  box: { light: "#ffffff", dark: "#24282d" },
  "bad-box": { light: "#fdf1f0", dark: "#33211f" },
  edge: { light: "#d6d6d0", dark: "#3a4047" },
  ink: { light: "#1f2328", dark: "#e8eaed" },
  soft: { light: "#646b73", dark: "#9aa3ad" },
  line: { light: "#9aa1a9", dark: "#666f79" },
  text: { light: "#8a8f98", dark: "#8a929c" },
  call: { light: "#3b6fd4", dark: "#7ca6ff" },
  user: { light: "#7a4fc4", dark: "#b794f6" },
  code: { light: "#0f8a8a", dark: "#4cc2c2" },
  good: { light: "#2c8a4b", dark: "#5cc27e" },
  bad: { light: "#c9352b", dark: "#ff7b72" },
  ask: { light: "#b57300", dark: "#e3b341" },
} as const satisfies Record<string, { light: string; dark: string }>;

export type Tone = keyof typeof tones;

const KINDS: Readonly<Record<Step["kind"], Tone>> = {
  start: "good",
  end: "good",
  user: "user",
  text: "text",
  reasoning: "text",
  call: "call",
  result: "call",
  code: "code",
  relay: "ask",
  error: "bad",
};

/** The tone for the kind of a step, or for a failure. */
export function toneOf({ kind, state }: Step): Tone {
  return state === "failed" || state === "denied" ? "bad" : KINDS[kind];
}
