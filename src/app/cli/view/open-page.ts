import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { OpenedRun } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { readResults } from "../../../work/evaluate/index.ts";
import { inTerminal, unwatchReader, write } from "../../terminal/index.ts";
import { cacheDirectory, exportRun, servePage } from "../../web/index.ts";
import { openNamedRun, ourData, packageRoot } from "../options/index.ts";
import { openBrowser } from "./open-browser.ts";

export interface PageFlags {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly export?: string;
  readonly force?: true;
  readonly events?: { readonly first: number; readonly last: number };
}

const USUAL_PORT = 4680;

/** `harness view`: serves the page until a signal stops it. */
export async function openPage(inputs: readonly string[], flags: PageFlags): Promise<void> {
  const results = resultFiles(inputs);
  const [name] = results.length > 0 ? [] : inputs;
  const run = name === undefined ? undefined : await openNamedRun(name);
  if (flags.export !== undefined && results.length > 0)
    throw new HarnessError(
      "usage",
      "--export works with a run only. For results, use: harness compare results.jsonl --report report.html.",
    );
  if (flags.export !== undefined) return exportNamed(run, flags.export, flags);
  if (flags.events !== undefined)
    throw new HarnessError("usage", "--events needs --export: the page itself shows all events. Leave it out.");
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
  let forget = () => {};
  try {
    const screen = results.length > 0 ? "/results" : id === undefined ? "" : `/runs/${id}`;
    const address = `${page.url}${screen}`;
    await write(`${address}\n`);
    unwatchReader();
    if (flags.open && inTerminal()) forget = openBrowser(address);
    await signal();
  } finally {
    forget();
    await page.close();
  }
}

/** Either all inputs are result files, or none. Each file is read here, so that a broken one is reported before the page opens. */
function resultFiles(inputs: readonly string[]): readonly string[] {
  const files = inputs.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (files.length === 0 && inputs.length < 2) return [];
  const other = inputs.find((path) => !files.includes(path));
  if (other !== undefined)
    throw new HarnessError(
      "usage",
      `${other} is not a result file. Pass one run, or files of capture and trials: harness view a.jsonl b.jsonl.`,
    );
  for (const path of files) readResults(path).next();
  return files;
}

async function exportNamed(run: OpenedRun | undefined, path: string, { force, events }: PageFlags): Promise<void> {
  if (run === undefined) throw new HarnessError("usage", "--export needs a run: harness view last --export run.html.");
  if (existsSync(path) && force !== true)
    throw new HarnessError("usage", `${path} already exists. Choose another name, or overwrite it with --force.`);
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
