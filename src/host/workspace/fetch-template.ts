import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { makeDirectories, writeAtomically } from "../files/index.ts";
import { git } from "./git.ts";
import { removeTree } from "./remove-tree.ts";
import { type TemplateSource, templateSource } from "./template-source.ts";

export interface Template {
  /** The folder to copy with `copyTree`. */
  readonly path: string;
  /** Undefined where the template is an ordinary folder. */
  readonly commit?: string;
}

const COMMIT = /^[0-9a-f]{40}$/;

/** All that a template's `.git` says of itself: no remote, no filter, no hook, no include. */
const CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";

/**
 * The template at `<https url or path>@<ref>`, in the cache under its commit: the files as git checks them out without filters, and a
 * `.git` that has this commit and what led to it as `main`, nothing that came later, and no settings but our own.
 *
 * A folder without a ref is used as it is.
 */
export async function fetchTemplate(text: string, cache: string, { milliseconds = 600_000 } = {}): Promise<Template> {
  const source = templateSource(text);
  if (source.protocol === "file" && source.ref === "HEAD" && statSync(source.url).isDirectory() && !text.startsWith("file:"))
    return { path: source.url };
  const place = join(cache, createHash("sha256").update(source.url).digest("hex").slice(0, 16));
  makeDirectories(place, 0o700);
  const known = await commitOf(source, place, milliseconds);
  if (known !== undefined && existsSync(join(place, known))) return { path: join(place, known), commit: known };
  const temporary = join(place, `tmp-${randomBytes(8).toString("hex")}`);
  try {
    const commit = await cloned(source, temporary, milliseconds);
    try {
      renameSync(temporary, join(place, commit));
    } catch (error) {
      if (!existsSync(join(place, commit))) throw error; // somebody else was faster: theirs is the same
    }
    return { path: join(place, commit), commit };
  } finally {
    await removeTree(temporary);
  }
}

/** What the ref means today, without fetching it; undefined where the other side does not say. */
async function commitOf({ url, ref, protocol, shown }: TemplateSource, cwd: string, milliseconds: number): Promise<string | undefined> {
  if (COMMIT.test(ref)) return ref;
  const { status, stdout, reason } = await git(["ls-remote", "--quiet", "--", url, ref, `${ref}^{}`], { cwd, protocol, milliseconds });
  if (status !== 0) throw unreachable(shown, reason);
  const found = stdout.split("\n").map((line) => line.split("\t"));
  const wanted = [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, ref];
  return wanted.flatMap((name) => found.find((line) => line[1] === name)?.[0] ?? []).at(0);
}

/** Only this commit's history: what came later may hold the answer. */
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
    `The template ${shown} cannot be fetched: ${reason}; check the name and the ref, or clone it and name the folder.`,
  );
}
