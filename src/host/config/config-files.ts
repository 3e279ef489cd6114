import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

export const CONFIG_NAME = "harness.toml";

/** A file that may hold settings. A `project` file may come from anyone, so it may set less. */
export interface ConfigFile {
  readonly path: string;
  readonly scope: "project" | "user";
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: `$HOME`, or the system's entry for the user. */
  readonly home?: string;
}

/** Every file that is read if it exists, in order of precedence: upwards from the working directory, then the user's own file. */
export function configFiles(around: Surroundings): readonly ConfigFile[] {
  const user = userConfigFile(around);
  const project = upwards(resolve(around.cwd)).map((directory) => join(directory, CONFIG_NAME));
  return [
    ...project.filter((path) => path !== user).map((path) => ({ path, scope: "project" as const })),
    ...(user === undefined ? [] : [{ path: user, scope: "user" as const }]),
  ];
}

/** `$XDG_CONFIG_HOME/harness/harness.toml`; undefined if there is no home directory. A relative directory counts as unset. */
export function userConfigFile(around: Omit<Surroundings, "cwd">): string | undefined {
  const configured = around.env["XDG_CONFIG_HOME"];
  if (configured !== undefined && isAbsolute(configured)) return join(configured, "harness", CONFIG_NAME);
  const home = homeOf(around);
  return home === undefined ? undefined : join(home, ".config", "harness", CONFIG_NAME);
}

export function homeOf({ env, home }: Omit<Surroundings, "cwd">): string | undefined {
  const found = home ?? (env["HOME"] || systemHome());
  return found !== undefined && isAbsolute(found) ? found : undefined;
}

/** Undefined for a user without an entry in the system's list. */
function systemHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function upwards(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwards(parent)];
}
