// Some agents search with ripgrep and do not bundle it. We install it, so that nothing from this machine is used.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Companion } from "../pin.ts";

const NAME = `@vscode/ripgrep-${process.platform}-${process.arch}`;

export const ripgrep: Companion = {
  package: `${NAME}@1.18.0`,
  folder: (installation) => [join(installation, "node_modules", NAME, "bin")].filter(existsSync),
};
