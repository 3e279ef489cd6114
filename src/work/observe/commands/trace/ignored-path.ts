const DEVICES = new Set(["null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"].map((name) => `/dev/${name}`));

/** What answers who a user is: it does nothing for whoever asks. */
const NAME_SERVICES = /^(?:\/var)?\/run\/(?:nscd\/socket|systemd\/userdb\/[^/]+)$|^\/var\/lib\/sss\/pipes\/[^/]+$/;

/** What is written there is no file of anybody's: devices that keep nothing, terminals, what a process sets of itself. */
export function isIgnoredPath(path: string): boolean {
  if (DEVICES.has(path) || path.startsWith("/dev/pts/") || path.startsWith("/memfd:")) return true;
  return /^\/proc\/(?:self|thread-self|\d+)\/(?!mem$)/.test(path) || NAME_SERVICES.test(path);
}
