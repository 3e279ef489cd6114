import { spawnSync } from "node:child_process";

/** Whether this user may mount in a new namespace. If not, tests that need a full or a read-only disk are skipped. */
export const canMount = spawnSync("sh", ["-c", "unshare -rm mount -t tmpfs none /mnt"]).status === 0;
