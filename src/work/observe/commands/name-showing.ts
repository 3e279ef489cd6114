/**
 * Programs that print the name they were called by, and are found by `command -p`: they are run by that name, and are deaf to INT and QUIT.
 * None of them runs other programs but make, which prints its name as `$(MAKE)`: a shell would pass its deafness on to all that it runs.
 * All others are run by their path: Python and the compilers look for themselves on the PATH where they are given a bare name, and would
 * find the wrapper (a virtual environment would be lost).
 */
const NAMES = `
  make gmake grep egrep fgrep sed awk gawk mawk locate diff cmp sdiff patch tar gzip gunzip zcat bzip2 xz
  arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown cksum comm cp csplit cut date dd df dir dircolors dirname
  du echo expand expr factor false fmt fold groups head hostid id install join kill link ln logname ls md5sum mkdir mkfifo mknod
  mktemp mv nl nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum
  sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stty sum sync tac tail tee test touch tr true
  truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes [ which less more column hexdump strings`;

export const NAME_SHOWING: ReadonlySet<string> = new Set(NAMES.split(/\s+/).filter((name) => name !== ""));
