import { type Agent, vouchedFor } from "../pipeline/index.ts";
import { claudeStore } from "./claude/index.ts";
import { clineStore } from "./cline/index.ts";
import { codexStore } from "./codex/index.ts";
import { geminiStore } from "./gemini/index.ts";
import { gooseStore } from "./goose/index.ts";
import { kiloStore } from "./kilo/index.ts";
import { opencodeStore } from "./opencode/index.ts";
import { piStore } from "./pi/index.ts";
import { type Store, storeFormat } from "./store.ts";

/** Every store of sessions that we read. To add one: its `store.ts`, a line here, a pair of fixtures, a line in docs/guides/import.md. */
export const stores: readonly Store[] = [claudeStore, codexStore, opencodeStore, kiloStore, gooseStore, geminiStore, clineStore, piStore];

/** The directories of agents that keep sessions which we do not read, so that an import can say so. Listed in docs/guides/import.md. */
export const unreadStores: readonly { readonly agent: string; readonly home: string }[] = [
  { agent: "Copilot CLI", home: ".copilot" },
  { agent: "Qwen Code", home: ".qwen" },
  { agent: "Crush", home: ".crush" },
  { agent: "Crush", home: ".local/share/crush" },
  { agent: "Kimi", home: ".kimi" },
  { agent: "Droid", home: ".factory" },
  { agent: "Amp", home: ".local/share/amp" },
  { agent: "Cursor", home: ".cursor" },
];

/** The formats of imported sessions. They can be read, not run. */
export const storeFormats: readonly Agent[] = Object.values(
  vouchedFor(Object.fromEntries(stores.map(storeFormat).map((format) => [format.id, format]))),
);
