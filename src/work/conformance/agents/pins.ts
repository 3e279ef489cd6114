// The real CLIs that the corpus runs, one file each. Versions are pinned only here.
import type { Pins } from "../pin.ts";
import { claude } from "./claude.ts";
import { claudeAcp } from "./claude-acp.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { codexAcp } from "./codex-acp.ts";
import { gemini } from "./gemini.ts";
import { geminiAcp } from "./gemini-acp.ts";
import { goose } from "./goose.ts";
import { gooseAcp } from "./goose-acp.ts";
import { kilo } from "./kilo.ts";
import { kiloAcp } from "./kilo-acp.ts";
import { native } from "./native.ts";
import { opencode } from "./opencode.ts";
import { opencodeAcp } from "./opencode-acp.ts";
import { pi } from "./pi.ts";
import { piNew } from "./pi-new.ts";
import { rlm } from "./rlm.ts";

export const pins: Pins = new Map([
  ["claude", claude],
  ["codex", codex],
  ["goose", goose],
  ["pi", pi],
  ["pi-new", piNew],
  ["opencode", opencode],
  ["kilo", kilo],
  ["cline", cline],
  ["gemini", gemini],
  ["native", native],
  ["rlm", rlm],
  ["goose-acp", gooseAcp],
  ["opencode-acp", opencodeAcp],
  ["kilo-acp", kiloAcp],
  ["gemini-acp", geminiAcp],
  ["claude-acp", claudeAcp],
  ["codex-acp", codexAcp],
]);
