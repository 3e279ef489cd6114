// `npm run goldens`: writes what every view makes of every fixture. Read the diff before you commit it.
import { ensureInstalled, tool } from "./setup.mjs";

ensureInstalled();
tool("Writing goldens (vitest)", "vitest", ["run", "test/goldens.test.ts"], { env: { ...process.env, GOLDENS: "write" } });
