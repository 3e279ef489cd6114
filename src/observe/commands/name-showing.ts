/**
 * Programs that print the name they were called by, in messages or as `$0`, and are found by `command -p`: they are run by that name.
 * All others are run by their path: Python and the compilers look for themselves on the PATH where they are given a bare name, and would
 * find the wrapper (a virtual environment would be lost).
 */
const NAMES = `
  sh dash bash zsh ksh make gmake grep egrep fgrep sed awk gawk mawk find xargs locate diff cmp sdiff patch tar gzip gunzip zcat bzip2 xz
  arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dircolors dirname
  du echo env expand expr factor false fmt fold groups head hostid id install join kill link ln logname ls md5sum mkdir mkfifo mknod
  mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum
  sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true
  truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes [ which less more column hexdump strings`;

export const NAME_SHOWING: ReadonlySet<string> = new Set(NAMES.split(/\s+/).filter((name) => name !== ""));
