import { inQuotes } from "../../../pure/base/index.ts";

/** What one wrapper stands for. */
export interface Wrapper {
  readonly name: string;
  /** The directory that the wrapper itself is in, and the one that its records go to. */
  readonly bin: string;
  readonly log: string;
  /** Where `MIRROR` and `PASS_ON` are. */
  readonly mirror: string;
  readonly passOn: string;
  /** The PATH behind the wrappers, and where the program is on it. */
  readonly path: string;
  readonly program: string;
  /** Where `command -p` finds it, for a program that shows the name it was called by; else null. */
  readonly standard: string | null;
  /** An `env` that knows `--default-signal`; null where the machine has none. */
  readonly env: string | null;
}

/** How deep wrapped commands may be nested. A program that finds its own wrapper again and again (ccache does) ends there, unobserved. */
const DEEPEST = 40;

/** What is longer than this, of program, place and words together, goes into a file of its own: one `write` must be enough for a record. */
const LONGEST_INLINE = 2_000;
/** Arguments longer than this together are written down in part: so many of them, so much of each. */
const LONGEST = 16_384;
const MOST_ARGUMENTS = 64;
const LONGEST_ARGUMENT = 1_024;

/**
 * By this a wrapped command knows which one it is in: `<id>:<depth>`. It is all that is added to the environment: a shell exports again
 * what it was given, so that its own variables have names (`_wn`) that nobody else's have.
 */
export const PARENT = "HARNESS_WRAPPED";

/** In the directory of the records: what all wrappers append to. Making a file for each command took longer than all the rest they do. */
export const ALL_RECORDS = "all";

/**
 * Runs the program that stands behind the wrapper, and appends two records to one file: that it starts, and how it has ended (read by
 * read-records.ts). Each is one `write`, so that none is torn; the time is that of /proc/uptime, the only clock that a shell can read without
 * a fork. Only builtins, so that nothing in here can meet a wrapper; where nothing can be written, the program takes the wrapper's place.
 *
 * The program runs beside the shell (`&`): only then does `wait` let a signal through while the program runs. The shell takes such
 * a child's standard input away, which therefore comes by another descriptor, and makes it deaf to INT and QUIT; `env` undoes that, unless
 * whoever called us wanted it so: a shell does not hear, even from itself, what it was started deaf to. `env` would load the files of a
 * language, which takes as long as itself: it runs in C, and puts back what was there. A program
 * that shows the name it was called by (`ls: cannot access`, `$0`, `$(MAKE)`) is run by that name, which only `command -p` can, and stays
 * deaf to these two.
 *
 * `$?` does not tell `exit 143` from a death by TERM, and parents do: above 128 the line of `jobs -l` does. It is asked for in a trap,
 * because some shells have forgotten it after `wait`; and always if the program has ended before there was a `wait`, which then may not know
 * of it any more.
 */
export function wrapperScript(wrapper: Wrapper): string {
  const { name, bin, log, mirror, passOn, standard, env } = wrapper;
  const child = (run: string) => `eval "( export ${PARENT}=\\"\\$_wi:\\$((_wd+1))\\"; ${run} ) $_wz &"`;
  const byPath = child(`${env === null ? "" : heard(env)}exec \\"\\$_wr\\" \\"\\$@\\"`);
  const byName = child('command -p \\"\\$_wn\\" \\"\\$@\\"');
  // Unobserved: the program in the shell's place, or by its name under it.
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
 * Where PATH is what it was, and no directory before the program's has got one of that name meanwhile, it need not be searched: that is one
 * test of many files in place of a loop.
 */
function shortcut({ name, bin, path, program }: Wrapper): string {
  const folders = path.split(":");
  const before = folders.slice(0, folders.indexOf(program.slice(0, -name.length - 1)));
  if (!before.every((folder) => folder.startsWith("/"))) return "";
  const others = [...new Set(before)].map((folder) => `-f ${inQuotes(`${folder}/${name}`)} -o`).join(" ");
  return `case $PATH in ${inQuotes(`${bin}:${path}`)}) [ ${others} ! -x ${inQuotes(program)} ] || _wr=${inQuotes(program)};; esac
`;
}

/** `env` takes a program whose path has a `=` for a variable: that one stays deaf. */
function heard(env: string): string {
  const call = (language: string) => `exec ${inner(env)} --default-signal=\\$_wk ${language} "\\$_wr" "\\$@"`;
  const language = `case \\\${LC_ALL+x} in x) _wv=\\$LC_ALL; LC_ALL=C; ${call('"LC_ALL=\\$_wv"')};; esac; export LC_ALL=C; ${call("-u LC_ALL")}`;
  return `case \\\${_wk:-=}\\$_wr in *=*) ;; *) ${language};; esac; `.replaceAll('"', '\\"');
}

/**
 * Passes a signal on to the program. Until the program has taken its place, the process is a copy of the shell, which forgets what it is sent
 * while it still has the shell's traps (on a busy machine 3 of 150 TERMs that came at once were lost): it is known by having the shell's own
 * words. If it had them just before it was sent the signal, it is sent it again when it has others: looking only afterwards, one of 40 runs
 * of 40 TERMs still lost one. A file of its own, for the same reason as `MIRROR`.
 */
export const PASS_ON = `{ _wo= _wx= _wy=; read -r _wx </proc/$$/cmdline; read -r _wy </proc/$_wc/cmdline
[ -z "$_wx" ] || [ "$_wx" != "$_wy" ] || _wo=again; kill -$_we $_wc
while _wy=; [ -n "$_wo" ] && read -r _wy </proc/$_wc/cmdline; [ -n "$_wy" ] && [ "$_wx" = "$_wy" ]; do :; done
[ -z "$_wo" ] || kill -$_we $_wc; } 2>/dev/null
`;

/**
 * Ends as a program ended that did not just exit. The words of a signal, as `jobs` has them, lead to the signal; without them the number
 * of `wait` must do. A file of its own: what is hardly ever needed is not to be parsed every time.
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

/** For a word in the double quotes of `eval`. */
function inner(text: string): string {
  return inQuotes(text).replace(/["$`\\]/g, "\\$&");
}
