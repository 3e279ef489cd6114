import type { Assignment } from "unbash";
import { readArgument } from "../argument.ts";

/** Variables that decide which program runs, or make another one run. */
const DECIDES =
  /^(?:PATH|CDPATH|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|LD_.*|DYLD_.*|GIT_.*|.*PAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|PERL5OPT|PERL5DB|RUBYOPT|PYTHONSTARTUP|PYTHONBREAKPOINT|MAKEFLAGS|npm_config_(?:script_shell|node_options)|RUSTC_WRAPPER|RSYNC_RSH|SSH_ASKPASS|SUDO_ASKPASS)$/;

/** Variables of git that name a place or a person. */
const HARMLESS = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|^GIT_TERMINAL_PROMPT$|^(?:GIT_)?PAGER=(?:cat)?$/;

/** Why a variable hides what runs. `text` is `NAME=value` or a name alone. */
export function hiddenBy(text: string): string | undefined {
  const name = /^\w+/.exec(text)?.[0] ?? "";
  if (HARMLESS.test(text) || HARMLESS.test(name)) return undefined;
  if (name === "NODE_OPTIONS" && /(?:^|[\s=])(?:-r|--require|--import|--loader|--experimental-loader)\b|[$`]/.test(text))
    return "NODE_OPTIONS loads other code";
  return DECIDES.test(name) ? `${name} can change which program runs` : undefined;
}

export function hiddenByAssignment({ name, value, text }: Assignment): string | undefined {
  const written = value.type === "Word" ? `${name}=${readArgument(value).value}` : text;
  return hiddenBy(written);
}
