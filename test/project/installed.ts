import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./imports.ts";

const run = promisify(execFile);

export interface Installed {
  /** The directory of the program `harness`. */
  readonly bin: string;
  /** The package's own folder. */
  readonly root: string;
}

/** Packs this package and installs it globally below a folder, as a user would: with npm and its dependencies. */
export async function installed(folder: string): Promise<Installed> {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT });
  const registry = await localRegistry();
  try {
    const options = ["--registry", registry.url, "--cache", join(folder, "cache"), "--no-audit", "--no-fund", "--loglevel", "error"];
    await run("npm", ["install", "--global", "--prefix", folder, ...options, join(folder, `${name}-${version}.tgz`)], { cwd: folder });
  } finally {
    registry.close();
  }
  return { bin: join(folder, "bin"), root: join(folder, "lib/node_modules", name) };
}

/** A local registry that serves node_modules, so that nothing uses the network. */
async function localRegistry(): Promise<{ readonly url: string; close(): void }> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, object> };
  const folders = Object.entries(packages).flatMap(([folder, entry]) => (folder === "" || "dev" in entry ? [] : [folder]));
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(url.slice(1));
    if (folders.includes(path)) {
      const tar = spawn("tar", ["-c", "--exclude=./node_modules", "--transform=s,^\\.,package,", "-C", join(ROOT, path), "."]);
      tar.stdout.pipe(response);
      return;
    }
    const versions = folders
      .filter((folder) => folder.endsWith(`node_modules/${path}`))
      .map((folder) => {
        const described = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
        return [described.version, { ...described, dist: { tarball: `${address()}${encodeURIComponent(folder)}` } }] as const;
      });
    const latest = versions[0]?.[0];
    response.statusCode = latest === undefined ? 404 : 200;
    response.end(JSON.stringify({ name: path, "dist-tags": { latest }, versions: Object.fromEntries(versions) }));
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: address(), close: () => void server.close() };
}
