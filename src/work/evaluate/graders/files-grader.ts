import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Entry, entriesOf, snapshot } from "../../../host/workspace/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { PreparedGrader } from "../trial/index.ts";

/** `files:<directory>`: passes if the workspace contains every file and link of that directory, unchanged. Other files are ignored. */
export function filesGrader(files: string, directory: string): PreparedGrader {
  const expected = resolve(directory, files);
  if (!statSync(expected, { throwIfNoEntry: false })?.isDirectory())
    throw new HarnessError("usage", `files: takes a directory with the expected files. ${files} is not a directory.`);
  return {
    name: `files:${files}`,
    needsWorkspace: true,
    files: [expected],
    answers: [expected],
    async grade({ cwd }) {
      if (cwd === undefined) return { error: "the workspace of this run was not kept, so its files cannot be compared" };
      const scratch = mkdtempSync(join(tmpdir(), "harness-files-"));
      try {
        const wanted = [...entriesOf(await snapshot(expected, { to: join(scratch, "expected") }))].filter(isFile);
        const found = new Map([...entriesOf(await snapshot(cwd, { to: join(scratch, "found") }))].map((entry) => [entry.path, entry]));
        const wrong = wanted.flatMap((entry) => differenceOf(entry, found.get(entry.path)) ?? []);
        const score = wanted.length === 0 ? 1 : (wanted.length - wrong.length) / wanted.length;
        const reasoning = wrong.length === 0 ? `all ${wanted.length} files are as expected` : wrong.slice(0, 20).join("; ");
        return { grade: { pass: wrong.length === 0, score, reasoning } };
      } catch (error) {
        return { error: errorWords(error) };
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    },
  };
}

function isFile({ type }: Entry): boolean {
  return type === "file" || type === "link";
}

function differenceOf(wanted: Entry, found: Entry | undefined): string | undefined {
  if (found === undefined) return `${wanted.path} is missing`;
  if (wanted.type !== found.type) return `${wanted.path} is a ${found.type}`;
  const isSame = wanted.type === "link" ? wanted.link === found.link : wanted.sha256 !== undefined && wanted.sha256 === found.sha256;
  return isSame ? undefined : `${wanted.path} differs`;
}
