import { spawnSync } from "node:child_process";

/** Whether this user may mount in a namespace of its own. Where it may not, what needs a full or a read-only disk is left out. */
export const canMount = spawnSync("sh", ["-c", "unshare -rm mount -t tmpfs none /mnt"]).status === 0;
