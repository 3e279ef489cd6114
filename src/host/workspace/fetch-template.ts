import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { makeDirectories, writeAtomically } from "../files/index.ts";
import { own } from "../sink/index.ts";
import { git } from "./git.ts";
import { removeTree } from "./remove-tree.ts";
import { type TemplateSource, templateSource } from "./template-source.ts";

export interface Template {
  /** The folder to copy with `copyTree`: `into`, or the ordinary folder. */
  readonly path: string;
  /** Undefined if the template is an ordinary folder. */
  readonly commit?: string;
}

const COMMIT = /^[0-9a-f]{40}$/;

/** The whole configuration of a template's `.git`: no remote, filter, hook or include. */
const CONFIG = own`[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n`;

/**
 * The template at `<https url or path>@<ref>`, checked out into the new directory `into`: the files as git checks them out without filters,
 * and a `.git` with this commit and its history as `main`, nothing later, and only our settings. Repositories are cached. An agent can write
 * to the cache, so only objects leave it: git computes their hashes anew, and the commit names all of them.
 *
 * A folder without a ref is used directly.
 */
export async function fetchTemplate(text: string, cache: string, into: string, { milliseconds = 600_000 } = {}): Promise<Template> {
  const source = templateSource(text);
  if (source.protocol === "file" && source.ref === "HEAD" && statSync(source.url).isDirectory() && !text.startsWith("file:"))
    return { path: source.url };
  const place = join(cache, createHash("sha256").update(source.url).digest("hex").slice(0, 16));
  makeDirectories(place, 0o700);
  const known = await commitOf(source, place, milliseconds);
  if (known !== undefined && (await isCheckedOut(place, known, into, milliseconds))) return { path: into, commit: known };
  const temporary = join(place, `tmp-${randomBytes(8).toString("hex")}`);
  try {
    const commit = await cloned(source, temporary, milliseconds);
    await cloned({ url: temporary, ref: commit, protocol: "file", shown: source.shown }, into, milliseconds);
    await removeTree(join(place, commit)); // it was not what its name says
    try {
      renameSync(temporary, join(place, commit));
    } catch (error) {
      if (!existsSync(join(place, commit))) throw error; // another process was faster
    }
    return { path: into, commit };
  } finally {
    await removeTree(temporary);
  }
}

/** Whether the cache has the whole commit. If not, `into` does not exist. */
async function isCheckedOut(place: string, commit: string, into: string, milliseconds: number): Promise<boolean> {
  const url = join(place, commit);
  if (!existsSync(url)) return false;
  try {
    writeAtomically(join(url, ".git", "config"), CONFIG);
    if ((await cloned({ url, ref: commit, protocol: "file", shown: url }, into, milliseconds)) === commit) return true;
  } catch {
    // damaged: it is fetched again
  }
  await removeTree(into);
  return false;
}

/** The commit of the ref today, without fetching it; undefined if the server does not say. */
async function commitOf({ url, ref, protocol, shown }: TemplateSource, cwd: string, milliseconds: number): Promise<string | undefined> {
  if (COMMIT.test(ref)) return ref;
  const { status, stdout, reason } = await git(["ls-remote", "--quiet", "--", url, ref, `${ref}^{}`], { cwd, protocol, milliseconds });
  if (status !== 0) throw unreachable(shown, reason);
  const found = stdout.split("\n").map((line) => line.split("\t"));
  const wanted = [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, ref];
  return wanted.flatMap((name) => found.find((line) => line[1] === name)?.[0] ?? []).at(0);
}

/** Fetches only this commit's history: later commits may contain the solution. */
async function cloned({ url, ref, protocol, shown }: TemplateSource, into: string, milliseconds: number): Promise<string> {
  mkdirSync(into, { mode: 0o700 });
  const local = async (...args: string[]): Promise<string> => {
    const { status, stdout, reason } = await git(args, { cwd: into, milliseconds });
    if (status !== 0) throw new HarnessError("input", `The template ${shown}@${ref} cannot be checked out: ${reason}.`);
    return stdout.trim();
  };
  await local("init", "--quiet", "--template=", "--initial-branch=main", ".");
  const fetched = await git(["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--", url, ref], {
    cwd: into,
    protocol,
    milliseconds,
  });
  if (fetched.status !== 0) throw unreachable(`${shown}@${ref}`, fetched.reason);
  const commit = await local("rev-parse", "--verify", "FETCH_HEAD^{commit}");
  await local("update-ref", "refs/heads/main", commit);
  await local("reset", "--quiet", "--hard", "main");
  for (const name of ["FETCH_HEAD", "ORIG_HEAD", "hooks", "info", "logs"])
    rmSync(join(into, ".git", name), { recursive: true, force: true });
  writeAtomically(join(into, ".git", "config"), CONFIG);
  return commit;
}

function unreachable(shown: string, reason: string): HarnessError {
  return new HarnessError(
    "input",
    `The template ${shown} cannot be fetched: ${reason}. Check the name and the ref, or clone it and pass the folder.`,
  );
}
