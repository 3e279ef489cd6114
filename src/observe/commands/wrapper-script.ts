import { quoted } from "./quoted.ts";

/** What one wrapper stands for. */
export interface Wrapper {
  readonly name: string;
  /** The directory that the wrapper itself is in, and the one that its records go to. */
  readonly bin: string;
  readonly log: string;
  /** Where `MIRROR` is. */
  readonly mirror: string;
  /** Where `command -p` finds it, for a program that shows the name it was called by; else null. */
  readonly standard: string | null;
  /** An `env` that knows `--default-signal`; null where the machine has none. */
  readonly env: string | null;
}

/** How deep wrapped commands may be nested. A program that finds its own wrapper again and again (ccache does) ends there, unobserved. */
const DEEPEST = 40;

/** Arguments longer than this together are written down in part: so many of them, so much of each. */
const LONGEST = 16_384;
const MOST_ARGUMENTS = 64;
const LONGEST_ARGUMENT = 1_024;

/** By this a wrapped command knows which one it is in: `<id>:<depth>`. It and PATH are all that is added to the environment. */
export const PARENT = "HARNESS_WRAPPED";

/**
 * Runs the program that stands behind the wrapper and leaves two small files: `<id>.start` (fields that end in NUL, then the pid) and
 * `<id>.end` (what the shell's `jobs` says of it, which tells a code from a signal, as `$?` does not). Only builtins, so that nothing in
 * here can meet a wrapper; where nothing can be written, the program takes the wrapper's place.
 *
 * The program runs beside the shell (`&`): only then does `wait` let a signal through while the program runs. The shell takes such
 * a child's standard input away, which therefore comes by another descriptor, and makes it deaf to INT and QUIT; `env` undoes that, unless whoever called us wanted it so: a shell does not hear, even from itself, what it was started deaf to. A program
 * that shows the name it was called by (`ls: cannot access`, `$0`, `$(MAKE)`) is run by that name, which only `command -p` can, and stays
 * deaf to these two.
 */
export function wrapperScript({ name, bin, log, mirror, standard, env }: Wrapper): string {
  const reset = env === null ? "" : `[ -n "\\$k" ] && exec ${inner(env)} --default-signal=\\$k "\\$r" "\\$@"; `.replaceAll('"', '\\"');
  const child = (run: string) => `eval "( export ${PARENT}=\\"\\$i:\\$((d+1))\\"; ${run} ) $z &"`;
  const byPath = child(`${reset}exec \\"\\$r\\" \\"\\$@\\"`);
  const byName = child('command -p \\"\\$n\\" \\"\\$@\\"');
  // Unobserved: the program in the shell's place, or by its name under it.
  const alone = `${standard === null ? "" : `[ "$r" = ${quoted(standard)} ] && { command -p "$n" "$@"; exit; }; `}exec "$r" "$@";`;
  return `#!/bin/sh
n=${quoted(name)} b=${quoted(bin)} l=${quoted(log)}
P=:$PATH:; case $P in *:"$b":*) P=\${P#*:"$b":};; esac
set -f; IFS=:
for r in \${P%:}; do r=\${r:-.}/$n; [ -f "$r" ] && [ -x "$r" ] && ! [ "$r" -ef "$b/$n" ] && break; r=; done
unset IFS; set +f
d=\${${PARENT}##*:}; case $d in ''|*[!0-9]*|????*) d=0;; esac
if [ -z "$r" ] || [ $d -ge ${DEEPEST} ]; then
  P=:$PATH:; case $P in *:"$b":*) P=\${P%%:"$b":*}:\${P#*:"$b":} P=\${P#:} PATH=\${P%:};; esac
  exec "\${r:-$n}" "$@"
fi
i=$$; while [ -e "$l/$i.start" ]; do i=$i+; done
a="$*" c=0
{ { printf '%s\\0' "$n" "$r" "$PWD" "$$" "$PPID" "\${${PARENT}%:*}" "$#"
if [ \${#a} -le ${LONGEST} ]; then [ $# = 0 ] || printf '%s\\0' "$@"
else for a; do [ $c = ${MOST_ARGUMENTS} ] && break; c=$((c+1)); printf '%.${LONGEST_ARGUMENT}s\\0' "$a"; done; fi; } >"$l/$i.start"; } 2>/dev/null || { ${alone} }
z='<&-'
if [ -e /dev/fd/0 ]; then
  for a in 9 8 7 6 5 4 3 ''; do [ -e "/dev/fd/$a" ] || break; done
  [ -n "$a" ] || { ${alone} }
  eval "exec $a<&0"; z="<&$a $a<&-"
fi
k=; trap k=INT INT; kill -INT $$; trap 'k=$k,QUIT' QUIT; kill -QUIT $$; k=\${k#,}
c= s= e=
trap '{ jobs -l >"$l/$i.end"; } 2>/dev/null' CHLD
for a in HUP INT QUIT TERM USR1 USR2; do trap "if [ -n \\"\\$c\\" ]; then kill -$a \\$c; else e=$a; fi 2>/dev/null" $a; done
${standard === null ? byPath : `if [ "$r" = ${quoted(standard)} ]; then ${byName}\nelse ${byPath}\nfi`}
c=$!
exec <&- >&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
[ -n "$e" ] && kill -$e $c
echo $c >>"$l/$i.start"
while wait $c; s=$?; [ $s -gt 128 ] && kill -0 $c; do :; done
a=; read -r a <"$l/$i.end"
a=\${a#*"$c"}; a=\${a#"\${a%%[! ]*}"}
case $a in 'Done('*) a=\${a#*\\(}; exit \${a%%\\)*};; Done*) exit 0;; esac
. ${quoted(mirror)}
`;
}

/**
 * Ends as a program ended that did not just exit. The words of a signal, as `jobs` has them, lead to the signal; without them the number
 * of `wait` must do. A file of its own: what is hardly ever needed is not to be parsed every time.
 */
export const MIRROR = `case $a in
'Exit '*) a=\${a#Exit }; exit \${a%% *};;
Hangup*) a=HUP;; Interrupt*) a=INT;; Quit*) a=QUIT;; Illegal*) a=ILL;; Trace*) a=TRAP;; Abort*) a=ABRT;; Bus*) a=BUS;;
Floating*) a=FPE;; Killed*) a=KILL;; 'User defined signal 1'*) a=USR1;; Segmentation*) a=SEGV;; 'User defined signal 2'*) a=USR2;;
'Broken pipe'*) a=PIPE;; Alarm*) a=ALRM;; Terminated*) a=TERM;; 'CPU time'*) a=XCPU;; 'File size'*) a=XFSZ;; 'Bad system'*) a=SYS;;
*) exit \${s:-126};;
esac
ulimit -c 0; trap - $a; kill -$a $$; exit \${s:-128}
`;

/** For a word in the double quotes of `eval`. */
function inner(text: string): string {
  return quoted(text).replace(/["$`\\]/g, "\\$&");
}
