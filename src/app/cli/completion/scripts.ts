import bash from "./harness.bash";
import fish from "./harness.fish";
import zsh from "./harness.zsh";

/**
 * The scripts ask `harness complete` and pass on the answer, so a new command needs no new script. They never evaluate the typed
 * text: the tab key must not run the `$(…)` of an unfinished line.
 */
export const scripts = { bash, fish, zsh };
