// The real CLIs the corpus runs against, one file each: which version, how it reaches the scripted model, what it can know. Pins live only here.
import { claude } from "./claude.mjs";
import { claudeAcp } from "./claude-acp.mjs";
import { cline } from "./cline.mjs";
import { codex } from "./codex.mjs";
import { codexAcp } from "./codex-acp.mjs";
import { gemini } from "./gemini.mjs";
import { goose } from "./goose.mjs";
import { gooseAcp } from "./goose-acp.mjs";
import { kilo } from "./kilo.mjs";
import { opencode } from "./opencode.mjs";
import { opencodeAcp } from "./opencode-acp.mjs";
import { pi } from "./pi.mjs";
import { piNew } from "./pi-new.mjs";

export const agents = {
  claude,
  codex,
  goose,
  pi,
  "pi-new": piNew,
  opencode,
  kilo,
  cline,
  gemini,
  "goose-acp": gooseAcp,
  "opencode-acp": opencodeAcp,
  "claude-acp": claudeAcp,
  "codex-acp": codexAcp,
};
