import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PageOptions, type PageServer, servePage } from "../../../src/app/web/serve-page.ts";
import { dataDirectoryAt } from "../../../src/host/recording/format/data-directory.ts";
import { ROOT } from "../../support/harness.ts";
import type { Place } from "../../support/place.ts";

export const PAGE_FILES = join(ROOT, "dist/page");

export interface Visited extends PageServer {
  /** The header that grants access. */
  readonly authorization: string;
  readonly get: (path: string) => Promise<Response>;
}

/** Serves the page of a data directory. */
export async function visited({ root }: Pick<Place, "root">, more: Partial<PageOptions> = {}): Promise<Visited> {
  const cache = mkdtempSync(join(tmpdir(), "harness-page-"));
  const page = await servePage({ data: dataDirectoryAt(root), others: new Map(), files: PAGE_FILES, cache, port: 0, ...more });
  const authorization = `Bearer ${new URL(page.url).hash.slice("#token=".length)}`;
  return {
    ...page,
    authorization,
    get: (path) => fetch(new URL(path, page.url), { headers: { authorization } }),
    async close() {
      await page.close();
      rmSync(cache, { recursive: true, force: true });
    },
  };
}

/** The server's response to these raw bytes, until it closes or the time is up. */
export function raw(port: number, text: string, patienceMs = 5000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(patienceMs, done);
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("error", done);
    socket.on("close", done);
    socket.end(text);
  });
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
