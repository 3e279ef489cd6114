import bash from "./harness.bash";
import fish from "./harness.fish";
import zsh from "./harness.zsh";

/**
 * The scripts only ask `harness complete` and hand the answer on, so a new command needs no new script. None of them evaluates
 * what was typed: the tab key must not run the `$(…)` of an unfinished line.
 */
export const scripts = { bash, fish, zsh };
