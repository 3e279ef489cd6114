import { delimiter, isAbsolute } from "node:path";
import { onlyVariables } from "../../../host/process/index.ts";

/** What a grader inherits: the least that programs need, and nothing that an agent or a shell start-up file could have put there. */
const KEPT = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM", "USER", "LOGNAME", "SHELL", "XDG_CACHE_HOME"];

export function graderEnvironment(more: Readonly<Record<string, string>>, parent: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const env = onlyVariables(KEPT, parent);
  if (env["PATH"] !== undefined) env["PATH"] = absolutePlaces(env["PATH"]);
  return { ...env, ...more };
}

/** A place that is relative, or empty, is in the workspace: an agent could leave a `node` there that passes everything. */
function absolutePlaces(path: string): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter);
}
