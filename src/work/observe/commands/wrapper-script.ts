import { inQuotes } from "../../../pure/base/index.ts";

export interface Wrapper {
  readonly name: string;
  /** The wrapper's own directory, and the one for its records. */
  readonly bin: string;
  readonly log: string;
  /** The paths of `MIRROR` and `PASS_ON`. */
  readonly mirror: string;
  readonly passOn: string;
  /** The PATH after the wrappers, and the program's path on it. */
  readonly path: string;
  readonly program: string;
  /** The path that `command -p` finds, for a program that prints the name it was called by; else null. */
  readonly standard: string | null;
  /** An `env` that supports `--default-signal`; null if the machine has none. */
  readonly env: string | null;
}

/** The maximum nesting of wrapped commands. A program that finds its own wrapper again and again (ccache does) stops there, unobserved. */
const DEEPEST = 40;

/** If program, directory and arguments together are longer, they go into a separate file: a record must fit into one `write`. */
const LONGEST_INLINE = 2_000;
/** Longer argument lists are recorded in part: a limited number of arguments, and a limited length of each. */
const LONGEST = 16_384;
const MOST_ARGUMENTS = 64;
const LONGEST_ARGUMENT = 1_024;

/**
 * Identifies the wrapped command around a command: `<id>:<depth>`. We add nothing else to the environment. A shell exports what it was
 * given, so the wrapper's own variables have names (`_wn`) that no one else uses.
 */
export const PARENT = "HARNESS_WRAPPED";

/** The file that all wrappers append to. One file per command took longer than the rest of the wrapper's work. */
export const ALL_RECORDS = "all";

/**
 * Runs the program behind the wrapper and appends two records to one file: its start, and how it ended (read by read-records.ts). Each is
 * one `write`, so none is torn. The time is that of /proc/uptime, the only clock that a shell can read without a fork. The script uses
 * only builtins, so it can never run a wrapper. If it cannot write, the program replaces the wrapper.
 *
 * The program runs in the background (`&`), because only then does `wait` let a signal through while the program runs. The shell takes
 * such a child's standard input away, so the script passes it through a different descriptor. The shell also makes the child ignore INT
 * and QUIT; `env` undoes that, unless our caller wanted it: a shell cannot see a signal, even its own, that it was started to ignore.
 * `env` would load locale files, which takes as long as `env` itself, so it runs in the C locale and restores the original one. A program
 * that prints the name it was called by (`ls: cannot access`, `$0`, `$(MAKE)`) must run under that name. Only `command -p` can do
 * that, and such a program keeps ignoring these two signals.
 *
 * `$?` does not distinguish `exit 143` from a death by TERM, but parents do. Above 128 the line of `jobs -l` decides. The script reads it
 * in a trap, because some shells forget it after `wait`; and always if the program ended before the `wait`, which then may no longer
 * know it.
 */
export function wrapperScript(wrapper: Wrapper): string {
  const { name, bin, log, mirror, passOn, standard, env } = wrapper;
  const child = (run: string) => `eval "( export ${PARENT}=\\"\\$_wi:\\$((_wd+1))\\"; ${run} ) $_wz &"`;
  const byPath = child(`${env === null ? "" : heard(env)}exec \\"\\$_wr\\" \\"\\$@\\"`);
  const byName = child('command -p \\"\\$_wn\\" \\"\\$@\\"');
  // Unobserved: the program replaces the shell, or runs by its name under it.
  const alone = `${standard === null ? "" : `[ "$_wr" = ${inQuotes(standard)} ] && { command -p "$_wn" "$@"; exit; }; `}exec "$_wr" "$@";`;
  return `#!/bin/sh
_wn=${inQuotes(name)} _wb=${inQuotes(bin)} _wl=${inQuotes(log)} _wp=${inQuotes(passOn)}
_wr=; ${shortcut(wrapper)}[ -n "$_wr" ] || { _wP=:$PATH:; case $_wP in *:"$_wb":*) _wP=\${_wP#*:"$_wb":};; esac
set -f; IFS=:
for _wr in \${_wP%:}; do _wr=\${_wr:-.}/$_wn; [ -f "$_wr" ] && [ -x "$_wr" ] && ! [ "$_wr" -ef "$_wb/$_wn" ] && break; _wr=; done
unset IFS; set +f; }
_wd=\${${PARENT}##*:}; case $_wd in ''|*[!0-9]*|????*) _wd=0;; esac
if [ -z "$_wr" ] || [ $_wd -ge ${DEEPEST} ]; then
  _wP=:$PATH:; case $_wP in *:"$_wb":*) _wP=\${_wP%%:"$_wb":*}:\${_wP#*:"$_wb":} _wP=\${_wP#:} PATH=\${_wP%:};; esac
  exec "\${_wr:-$_wn}" "$@"
fi
_wa="$_wr$PWD$*" _wu= _wc=0
{ read -r _wu _wk </proc/uptime; _wi=$$-$_wu
if [ \${#_wa} -le ${LONGEST_INLINE} ]; then printf '%s\\0' '
S' "$_wi" "$_wu" "$_wn" "$PPID" "\${${PARENT}%:*}" "$#" + "$_wr" "$PWD" "$@" >>"$_wl/${ALL_RECORDS}"
else { printf '%s\\0' "$_wr" "$PWD"
if [ \${#_wa} -le ${LONGEST} ]; then [ $# = 0 ] || printf '%s\\0' "$@"
else for _wa; do [ $_wc = ${MOST_ARGUMENTS} ] && break; _wc=$((_wc+1)); printf '%.${LONGEST_ARGUMENT}s\\0' "$_wa"; done; fi; } >"$_wl/$_wi.more" &&
printf '%s\\0' '
S' "$_wi" "$_wu" "$_wn" "$PPID" "\${${PARENT}%:*}" "$#" - >>"$_wl/${ALL_RECORDS}"; fi; } 2>/dev/null || { ${alone} }
_wz='<&-'
if [ -e /dev/fd/0 ]; then
  for _wa in 9 8 7 6 5 4 3 ''; do [ -e "/dev/fd/$_wa" ] || break; done
  [ -n "$_wa" ] || { ${alone} }
  eval "exec $_wa<&0"; _wz="<&$_wa $_wa<&-"
fi
_wk=; trap _wk=INT INT; kill -INT $$; trap '_wk=$_wk,QUIT' QUIT; kill -QUIT $$; _wk=\${_wk#,}
_wc= _ws= _we= _wq=
trap 'case $_wq$? in q[0-9]|q[0-9][0-9]|q1[01][0-9]|q12[0-8]) ;; *) { jobs -l >"$_wl/$_wi.end"; } 2>/dev/null;; esac' CHLD
${["HUP", "INT", "QUIT", "TERM", "USR1", "USR2"].map((signal) => `trap '_we=${signal}; [ -z "$_wc" ] || . "$_wp"' ${signal}`).join("\n")}
${standard === null ? byPath : `if [ "$_wr" = ${inQuotes(standard)} ]; then ${byName}\nelse ${byPath}\nfi`}
_wc=$!
exec <&- >&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
[ -z "$_we" ] || . "$_wp"
_wq=q; while wait $_wc; _ws=$?; [ $_ws -gt 128 ] && kill -0 $_wc; do :; done
_wa=; [ $_ws -le 128 ] || [ -e "$_wl/$_wi.end" ] || jobs -l >"$_wl/$_wi.end"
! [ -e "$_wl/$_wi.end" ] || read -r _wa <"$_wl/$_wi.end"; read -r _wu _wk </proc/uptime; printf '%s\\0' '
E' "$_wi" "$_wu" "$_wc" "$_ws" "$_wa" >>"$_wl/${ALL_RECORDS}"
[ -n "$_wa" ] || exit $_ws
_wa=\${_wa#*"$_wc"}; _wa=\${_wa#"\${_wa%%[! ]*}"}
. ${inQuotes(mirror)}
`;
}

/**
 * If PATH is unchanged and no directory before the program's has a program of that name by now, there is no need to search: one test of
 * many files replaces a loop.
 */
function shortcut({ name, bin, path, program }: Wrapper): string {
  const folders = path.split(":");
  const before = folders.slice(0, folders.indexOf(program.slice(0, -name.length - 1)));
  if (!before.every((folder) => folder.startsWith("/"))) return "";
  const others = [...new Set(before)].map((folder) => `-f ${inQuotes(`${folder}/${name}`)} -o`).join(" ");
  return `case $PATH in ${inQuotes(`${bin}:${path}`)}) [ ${others} ! -x ${inQuotes(program)} ] || _wr=${inQuotes(program)};; esac
`;
}

/** `env` takes a path with a `=` for a variable, so such a program keeps ignoring the signals. */
function heard(env: string): string {
  const call = (language: string) => `exec ${inner(env)} --default-signal=\\$_wk ${language} "\\$_wr" "\\$@"`;
  const language = `case \\\${LC_ALL+x} in x) _wv=\\$LC_ALL; LC_ALL=C; ${call('"LC_ALL=\\$_wv"')};; esac; export LC_ALL=C; ${call("-u LC_ALL")}`;
  return `case \\\${_wk:-=}\\$_wr in *=*) ;; *) ${language};; esac; `.replaceAll('"', '\\"');
}

/**
 * Passes a signal on to the program. Until the program has replaced it, the process is a copy of the shell, and it loses signals while it still
 * has the shell's traps (on a busy machine 3 of 150 immediate TERMs were lost). We recognize the copy by its command line, which is the
 * shell's. If it was a copy just before the signal, we send the signal again when its command line has changed. Checking only afterwards
 * still lost one TERM in one of 40 runs of 40. It is a separate file for the same reason as `MIRROR`.
 */
export const PASS_ON = `{ _wo= _wx= _wy=; read -r _wx </proc/$$/cmdline; read -r _wy </proc/$_wc/cmdline
[ -z "$_wx" ] || [ "$_wx" != "$_wy" ] || _wo=again; kill -$_we $_wc
while _wy=; [ -n "$_wo" ] && read -r _wy </proc/$_wc/cmdline; [ -n "$_wy" ] && [ "$_wx" = "$_wy" ]; do :; done
[ -z "$_wo" ] || kill -$_we $_wc; } 2>/dev/null
`;

/**
 * Ends the wrapper in the same way as its program, if that did not simply exit. The text of `jobs` names the signal; without it the number
 * from `wait` must do. It is a separate file, because it is rarely needed and would be parsed every time.
 */
export const MIRROR = `case $_wa in
'Done('*) _wa=\${_wa#*\\(}; exit \${_wa%%\\)*};; Done*) exit 0;;
'Exit '*) _wa=\${_wa#Exit }; exit \${_wa%% *};;
Hangup*) _wa=HUP;; Interrupt*) _wa=INT;; Quit*) _wa=QUIT;; Illegal*) _wa=ILL;; Trace*) _wa=TRAP;; Abort*) _wa=ABRT;; Bus*) _wa=BUS;;
Floating*) _wa=FPE;; Killed*) _wa=KILL;; 'User defined signal 1'*) _wa=USR1;; Segmentation*) _wa=SEGV;; 'User defined signal 2'*) _wa=USR2;;
'Broken pipe'*) _wa=PIPE;; Alarm*) _wa=ALRM;; Terminated*) _wa=TERM;; 'CPU time'*) _wa=XCPU;; 'File size'*) _wa=XFSZ;; 'Bad system'*) _wa=SYS;;
*) exit \${_ws:-126};;
esac
ulimit -c 0; trap - $_wa; kill -$_wa $$; exit \${_ws:-128}
`;

/** Escapes text inside the double quotes of `eval`. */
function inner(text: string): string {
  return inQuotes(text).replace(/["$`\\]/g, "\\$&");
}
