import { delimiter, isAbsolute, relative } from "node:path";
import { onlyVariables } from "../../../host/process/index.ts";

/** The variables a grader inherits: the minimum that programs need, and nothing that an agent or a shell start-up file could have set. */
const KEPT = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM", "USER", "LOGNAME", "SHELL", "XDG_CACHE_HOME"];

export function graderEnvironment(more: Readonly<Record<string, string>>, parent: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const env = onlyVariables(KEPT, parent);
  if (env["PATH"] !== undefined) env["PATH"] = absolutePlaces(env["PATH"]);
  return { ...env, ...more };
}

/**
 * The same for a program that judges an agent's work: git and npm do not take programs from the workspace or from a home directory that
 * the agent could write. Variables win over the files of both (`.git/config`, `.npmrc`).
 */
export function verdictEnvironment(more: Readonly<Record<string, string>>, workspace?: string): NodeJS.ProcessEnv {
  const env = graderEnvironment({ ...GIT, ...NPM, ...more });
  const isOwn = (place: string) => workspace === undefined || relative(workspace, place).startsWith("..");
  return { ...env, ...(env["PATH"] !== undefined && { PATH: env["PATH"].split(delimiter).filter(isOwn).join(delimiter) }) };
}

const SETTINGS = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.pager", "cat"],
  ["safe.directory", "*"],
] as const;

const GIT: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(
    SETTINGS.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

/** npm ignores an empty value. This one is what Node does anyway. */
const NPM: Readonly<Record<string, string>> = {
  npm_config_script_shell: "/bin/sh",
  npm_config_node_options: "--unhandled-rejections=throw",
};

/** A relative or empty entry of PATH points into the workspace: an agent could put a `node` there that passes everything. */
function absolutePlaces(path: string): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter);
}
