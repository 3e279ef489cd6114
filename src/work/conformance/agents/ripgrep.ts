// ripgrep, for the agents that search with it and do not bring it: nothing of this machine is used.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Companion } from "../pin.ts";

const NAME = `@vscode/ripgrep-${process.platform}-${process.arch}`;

export const ripgrep: Companion = {
  package: `${NAME}@1.18.0`,
  folder: (installation) => [join(installation, "node_modules", NAME, "bin")].filter(existsSync),
};
