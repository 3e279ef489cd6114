import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { cacheDirectory } from "../web/cache-directory.ts";
import { servePage } from "../web/serve-page.ts";
import type { ViewFlags } from "./commands/view.ts";
import { openNamedRun, ourData } from "./open-named-run.ts";
import { inTerminal, write } from "./output.ts";
import { packageRoot } from "./package-root.ts";
import { say } from "./report.ts";

const USUAL_PORT = 4680;

/** `harness view`: serves the page until it is told to stop. */
export async function viewPage(name: string | undefined, flags: ViewFlags): Promise<void> {
  const run = name === undefined ? undefined : await openNamedRun(name);
  const data = ourData();
  const isOurs = run === undefined || dirname(resolve(run.directory)) === resolve(data.runs);
  const id = run === undefined ? undefined : isOurs ? basename(run.directory) : run.manifest.id;
  const page = await servePage({
    data,
    others: new Map(isOurs || run === undefined || id === undefined ? [] : [[id, resolve(run.directory)]]),
    files: join(packageRoot(), "dist/page"),
    cache: cacheDirectory(process.env, homedir()),
    host: flags.host,
    port: flags.port ?? USUAL_PORT,
    orAnyPort: flags.port === undefined,
  });
  try {
    const address = id === undefined ? page.url : `${page.url}#/runs/${id}`;
    await write(`${address}\n`);
    if (flags.open && inTerminal()) openBrowser(address);
    await signal();
  } finally {
    await page.close();
  }
}

function signal(): Promise<void> {
  return new Promise((done) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => done());
  });
}

/** Where there is none, the address is on the screen. */
function openBrowser(address: string): void {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  spawn(program, [address], { stdio: "ignore", detached: true })
    .on("error", () => say("open the address above in a browser"))
    .unref();
}
