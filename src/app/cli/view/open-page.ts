import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { OpenedRun } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { readResults } from "../../../work/evaluate/index.ts";
import { inTerminal, say, write } from "../../terminal/index.ts";
import { cacheDirectory, exportRun, servePage } from "../../web/index.ts";
import { openNamedRun, ourData, packageRoot } from "../options/index.ts";

export interface PageFlags {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly export?: string;
  readonly force?: true;
  readonly events?: { readonly first: number; readonly last: number };
}

const USUAL_PORT = 4680;

/** `harness view`: serves the page until it is told to stop. */
export async function openPage(what: readonly string[], flags: PageFlags): Promise<void> {
  const results = resultFiles(what);
  const [name] = results.length > 0 ? [] : what;
  const run = name === undefined ? undefined : await openNamedRun(name);
  if (flags.export !== undefined && results.length > 0)
    throw new HarnessError("usage", "Only a run is exported; of results harness compare --report report.html writes a page.");
  if (flags.export !== undefined) return exportNamed(run, flags.export, flags);
  if (flags.events !== undefined) throw new HarnessError("usage", "--events is of --export: the page itself shows all events.");
  const data = ourData();
  const isOurs = run === undefined || dirname(resolve(run.directory)) === resolve(data.runs);
  const id = run === undefined ? undefined : isOurs ? basename(run.directory) : run.manifest.id;
  const page = await servePage({
    data,
    results,
    others: new Map(isOurs || run === undefined || id === undefined ? [] : [[id, resolve(run.directory)]]),
    files: pageFiles(),
    cache: cacheDirectory(process.env, homedir()),
    host: flags.host,
    port: flags.port ?? USUAL_PORT,
    orAnyPort: flags.port === undefined,
  });
  try {
    const screen = results.length > 0 ? "#/results" : id === undefined ? "" : `#/runs/${id}`;
    const address = `${page.url}${screen}`;
    await write(`${address}\n`);
    if (flags.open && inTerminal()) openBrowser(address);
    await signal();
  } finally {
    await page.close();
  }
}

/** The files among what is named: all of it, or nothing. What they hold is looked at before anybody is sent there. */
function resultFiles(what: readonly string[]): readonly string[] {
  const files = what.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (files.length === 0 && what.length < 2) return [];
  const other = what.find((path) => !files.includes(path));
  if (other !== undefined)
    throw new HarnessError(
      "usage",
      `${other} is no file of results; name one run, or files of capture and trials: harness view a.jsonl b.jsonl.`,
    );
  for (const path of files) readResults(path).next();
  return files;
}

async function exportNamed(run: OpenedRun | undefined, path: string, { force, events }: PageFlags): Promise<void> {
  if (run === undefined) throw new HarnessError("usage", "Say which run is to be exported: harness view last --export run.html.");
  if (existsSync(path) && force !== true)
    throw new HarnessError("usage", `${path} exists already; give another name, or --force to overwrite it.`);
  const { manifest, directory, owner } = run;
  await exportRun({ manifest, directory, files: pageFiles(), path, isWritten: owner !== undefined, ...(events && { events }) });
  await write(`${path}\n`);
}

function pageFiles(): string {
  return join(packageRoot(), "dist/page");
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
