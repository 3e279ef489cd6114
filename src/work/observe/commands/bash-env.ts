import { inQuotes } from "../../../pure/base/index.ts";

/**
 * The `$BASH_ENV` file. Bash reads it before a script or `-c`, and after the login files. On Debian the login files replace PATH, so
 * `bash -lc`, which agents use, would lose the wrappers. This file adds them to a PATH without them. In a login shell it moves them to
 * the front again, because programs that the login files start (`pyenv init` runs bash) may have put them in the middle. Otherwise
 * entries in front of them, such as a virtual environment, stay there. It forks nothing and is silent under `-x`, because every
 * `#!/bin/bash` script reads it.
 */
export function bashEnv(bin: string, theirs: string | undefined): string {
  const b = inQuotes(bin);
  const login = `! shopt -q login_shell || PATH=${b}:\${PATH//:${b}:/:}`;
  const ours = `{ case :\${PATH-}: in :${b}:*) ;; *:${b}:*) ${login};; *) PATH=${b}\${PATH:+:$PATH};; esac; } 2>/dev/null || :\n`;
  return theirs === undefined || theirs === "" ? ours : `${sourced(theirs)}${ours}`;
}

/** Like bash: expands the value as in double quotes, skips a missing file, and does not search the PATH. */
function sourced(theirs: string): string {
  const home = theirs.replace(/^~(?=\/)/, "$HOME");
  const file = `"${home.includes("/") || home.startsWith("$") ? "" : "./"}${home.replaceAll('"', '\\"')}"`;
  return `{ [ -f ${file} ]; } 2>/dev/null && . ${file}\n`;
}
