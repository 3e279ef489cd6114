import { delimiter, isAbsolute } from "node:path";
import { onlyVariables } from "../../../host/process/index.ts";

/** The variables a grader inherits: the minimum that programs need, and nothing that an agent or a shell start-up file could have set. */
const KEPT = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM", "USER", "LOGNAME", "SHELL", "XDG_CACHE_HOME"];

export function graderEnvironment(more: Readonly<Record<string, string>>, parent: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const env = onlyVariables(KEPT, parent);
  if (env["PATH"] !== undefined) env["PATH"] = absolutePlaces(env["PATH"]);
  return { ...env, ...more };
}

/** A relative or empty entry of PATH points into the workspace: an agent could put a `node` there that passes everything. */
function absolutePlaces(path: string): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter);
}
