const DEVICES = new Set(["null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"].map((name) => `/dev/${name}`));

/** Services that look up users and have no effect for the caller. */
const NAME_SERVICES = /^(?:\/var)?\/run\/(?:nscd\/socket|systemd\/userdb\/[^/]+)$|^\/var\/lib\/sss\/pipes\/[^/]+$/;

/** Writes there change no real file: devices that keep nothing, terminals, a process's own settings. */
export function isIgnoredPath(path: string): boolean {
  if (DEVICES.has(path) || path.startsWith("/dev/pts/") || path.startsWith("/memfd:")) return true;
  return /^\/proc\/(?:self|thread-self|\d+)\/(?!mem$)/.test(path) || NAME_SERVICES.test(path);
}
