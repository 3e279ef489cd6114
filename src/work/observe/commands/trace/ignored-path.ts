const DEVICES = new Set(["null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"].map((name) => `/dev/${name}`));

/** Services that look up users and have no effect for the caller. */
const NAME_SERVICES = /^(?:\/var)?\/run\/(?:nscd\/socket|systemd\/userdb\/[^/]+)$|^\/var\/lib\/sss\/pipes\/[^/]+$/;

/** A process's settings. Its memory, and the network's part of `/proc`, are none. */
const SETTINGS =
  /^\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?(?:comm|oom_score_adj|oom_adj|setgroups|[ug]id_map|projid_map|coredump_filter|timerslack_ns|timens_offsets|clear_refs|autogroup|loginuid|sched|attr\/[\w/]+)$/;

/** Writes there change no real file: devices that keep nothing, terminals, a process's settings. */
export function isIgnoredPath(path: string): boolean {
  return DEVICES.has(path) || path.startsWith("/dev/pts/") || SETTINGS.test(path) || NAME_SERVICES.test(path);
}
