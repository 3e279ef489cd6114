import type { Assignment } from "unbash";
import { readArgument } from "../argument.ts";

/** Variables of the shell and the loader that decide which program runs, or what a later word means. */
const SHELL =
  /^(?:PATH|CDPATH|HOME|IFS|PWD|OLDPWD|DIRSTACK|GLOBIGNORE|GLOBSORT|FIGNORE|EXECIGNORE|ENV|BASH\w*|SHELLOPTS|POSIXLY_CORRECT|PROMPT_COMMAND|PS[0-4]|ZDOTDIR|FPATH|HISTFILE|INPUTRC|TMPDIR|TEMP|TMP|SHELL|LD_\w*|DYLD_\w*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|HOSTALIASES|RES_OPTIONS|TERMINFO\w*|TERMCAP|XDG_\w*)$/;

/** Variables with which known programs run others, or read and write elsewhere. */
const PROGRAMS =
  /^(?:GIT_\w*|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS\w*|MAN\w*|GREP_\w*|RIPGREP_\w*|TAR_\w*|TAPE|RSYNC\w*|RSH|GZIP|BZIP\w*|XZ_\w*|ZSTD_\w*|ZIP\w*|UNZIP\w*|AWKPATH|AWKLIBPATH|GAWK\w*|BAT_\w*|FD_\w*|MAGIC|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|PERL5\w*|RUBYOPT|RUBYLIB|PYTHONSTARTUP|PYTHONBREAKPOINT|PYTHONINSPECT|PYTHONWARNINGS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GOFLAGS|RUSTC\w*|CARGO_BUILD_\w*|CARGO_TARGET_\w*_RUNNER|npm_config_(?:script_shell|node_options|prefix|userconfig|globalconfig)|NPM_CONFIG_\w*|CURL_HOME|WGETRC|NETRC|SSH_\w*|SUDO_\w*|\w*_proxy|\w*_PROXY)$/;

/** Exceptions: names, or a name with its value. */
const HARMLESS =
  /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|^GIT_TERMINAL_PROMPT$|^(?:GIT_)?PAGER=(?:cat)?$|^(?:NO_PROXY|no_proxy)$|^GIT_EDITOR=(?:true|:)$/;

/** Why a variable hides what runs. `text` is `NAME=value` or a name alone. */
export function hiddenBy(text: string): string | undefined {
  const name = /^\w+/.exec(text)?.[0] ?? "";
  if (HARMLESS.test(text) || HARMLESS.test(name)) return undefined;
  if (
    name === "NODE_OPTIONS" &&
    !/^NODE_OPTIONS=["']?(?:\s*--(?:max-old-space-size=\d+|no-warnings|enable-source-maps|trace-warnings|experimental-vm-modules))*\s*["']?$/.test(
      text,
    )
  )
    return "NODE_OPTIONS can load other code";
  return SHELL.test(name) || PROGRAMS.test(name) ? `${name} can change which program runs, or what a later word means` : undefined;
}

export function hiddenByAssignment({ name, value, text }: Assignment): string | undefined {
  const written = value.type === "Word" ? `${name}=${readArgument(value).value}` : text;
  return hiddenBy(written);
}
