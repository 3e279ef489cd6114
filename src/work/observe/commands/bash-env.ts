import { inQuotes } from "../../../pure/base/index.ts";

/**
 * What bash reads (`$BASH_ENV`) before it runs a script or `-c`, and after the login files: on Debian those set a PATH of their own, so that
 * `bash -lc`, which agents use, would lose the wrappers. A PATH without them gets them back; a login shell has them first again, because
 * what its files start (`pyenv init` runs bash) may have put them in the middle. Elsewhere what somebody put before them stays there: a
 * virtual environment. No fork, and silent under `-x`: every script with `#!/bin/bash` reads it.
 */
export function bashEnv(bin: string, theirs: string | undefined): string {
  const b = inQuotes(bin);
  const login = `! shopt -q login_shell || PATH=${b}:\${PATH//:${b}:/:}`;
  const ours = `{ case :\${PATH-}: in :${b}:*) ;; *:${b}:*) ${login};; *) PATH=${b}\${PATH:+:$PATH};; esac; } 2>/dev/null || :\n`;
  return theirs === undefined || theirs === "" ? ours : `${sourced(theirs)}${ours}`;
}

/** As bash does it: the value is expanded as in double quotes, a file that is not there is passed over, and none is looked for on the PATH. */
function sourced(theirs: string): string {
  const home = theirs.replace(/^~(?=\/)/, "$HOME");
  const file = `"${home.includes("/") || home.startsWith("$") ? "" : "./"}${home.replaceAll('"', '\\"')}"`;
  return `{ [ -f ${file} ]; } 2>/dev/null && . ${file}\n`;
}
