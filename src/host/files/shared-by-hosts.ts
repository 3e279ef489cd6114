import { statfsSync } from "node:fs";

/** The numbers Linux uses for network file systems: NFS, SMB (two), 9P, Ceph, AFS (two), Lustre, GFS2, OCFS2, FUSE (sshfs). */
const NETWORK: ReadonlySet<number> = new Set([
  0x6969, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x6b414653, 0x0bd00bd0, 0x01161970, 0x7461636f, 0x65735546,
]);

/** Whether other hosts may be writing in the directory, as far as the system knows. */
export function isSharedByHosts(directory: string): boolean {
  return process.platform === "linux" && NETWORK.has(statfsSync(directory).type);
}
