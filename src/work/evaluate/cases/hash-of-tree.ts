import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** The same for the same names and contents. The history of a repository is not part of it: only its files are. */
export function hashOfTree(path: string): string {
  const hash = createHash("sha256");
  (function add(at: string, name: string): void {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return;
    hash.update(`${JSON.stringify(name)} ${stats.mode & 0o111 ? "x" : "-"} `);
    if (stats.isDirectory()) for (const each of readdirSync(at).sort()) if (each !== ".git") add(join(at, each), `${name}/${each}`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(at));
    if (stats.isFile()) hash.update(createHash("sha256").update(readFileSync(at)).digest());
  })(path, "");
  return hash.digest("hex");
}
