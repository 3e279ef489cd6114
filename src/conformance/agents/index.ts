// The real CLIs the corpus runs against, one file each. Pins live only here.
import type { Pins } from "../pin.ts";
import { claude } from "./claude.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { kilo } from "./kilo.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { piNew } from "./pi-new.ts";

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
]);
