/**
 * Programs that print the name they were called by and that `command -p` finds. They run under that name and ignore INT and QUIT. None
 * of them runs other programs except make, which prints its name as `$(MAKE)`; a shell would make everything it runs ignore these
 * signals too. All other programs run by path: Python and compilers search the PATH for themselves if they get a bare name, and would
 * find the wrapper (and lose a virtual environment).
 */
const NAMES = `
  make gmake grep egrep fgrep sed awk gawk mawk locate diff cmp sdiff patch tar gzip gunzip zcat bzip2 xz
  arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown cksum comm cp csplit cut date dd df dir dircolors dirname
  du echo expand expr factor false fmt fold groups head hostid id install join kill link ln logname ls md5sum mkdir mkfifo mknod
  mktemp mv nl nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum
  sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stty sum sync tac tail tee test touch tr true
  truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes [ which less more column hexdump strings`;

export const NAME_SHOWING: ReadonlySet<string> = new Set(NAMES.split(/\s+/).filter((name) => name !== ""));
