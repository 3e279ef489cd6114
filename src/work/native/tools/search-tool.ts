import { createContext, Script } from "node:vm";
import { z } from "zod";
import { breathing, budgetOf, reader } from "../../../host/workspace/index.ts";
import { clipped, errorWords } from "../../../pure/base/index.ts";
import type { OpenDirectory, WorkspaceFiles } from "../workspace-files.ts";
import { filesBelow, UNLISTED } from "./found-files.ts";
import { ourTool } from "./our-tool.ts";
import { pathGlob } from "./path-glob.ts";

const MOST_MATCHES = 200;
const LONGEST_LINE = 300;
const LARGEST = 16 * 2 ** 20;
const PATIENCE_MS = 30_000;
/** The time limit of an expression for one file. Meanwhile the whole process waits. */
const ONE_FILE_MS = 250;

export const searchTool = (files: WorkspaceFiles) =>
  ourTool({
    description: `Searches the text files of the workspace, line by line, for a regular expression. Leaves out what .gitignore names, ${UNLISTED.join(" and ")}. Shows at most ${MOST_MATCHES} matches.`,
    onlyReads: true,
    shape: {
      pattern: z.string().min(1).describe("JavaScript's syntax; (?i) at the beginning ignores case"),
      path: z.string().optional().describe("The directory or file to search in; default: the workspace's root"),
      include: z.string().optional().describe("Only files with a matching name or path: a glob, such as *.ts or src/**/*.{js,ts}"),
      ignore_case: z.boolean().optional(),
      context: z.int().min(0).max(20).optional().describe("How many lines to show around each match"),
      no_ignore: z.boolean().optional().describe("Also files in .gitignore"),
    },
    async run({ pattern, path = ".", include, ignore_case = false, context = 0, no_ignore = false }, { signal }) {
      const match = matcher(pattern, ignore_case);
      const found: string[] = [];
      const skipped = { slow: 0, large: 0, late: false };
      let [matches, searched, isCut] = [0, 0, false];
      const breath = breathing();
      for (const { name, text } of textsIn(files, path, include, no_ignore, skipped)) {
        searched++;
        const hits = match(text);
        if (hits === undefined) skipped.slow++;
        const shown = (hits ?? []).slice(0, MOST_MATCHES - matches);
        isCut = shown.length < (hits ?? []).length;
        matches += shown.length;
        found.push(...linesAround(name, text, shown, context, found.length > 0));
        if (isCut || signal.aborted) break;
        if (breath.due()) await breath.take();
      }
      const notes = [
        ...(isCut ? [`… (more than ${MOST_MATCHES} matches; use a narrower pattern, path or include)`] : []),
        ...(skipped.slow > 0 ? [`(${skipped.slow} files took too long)`] : []),
        ...(skipped.large > 0 ? [`(${skipped.large} files are larger than ${LARGEST / 2 ** 20} MiB, and were not searched)`] : []),
        ...(skipped.late ? [`(the time was up after ${searched} files)`] : []),
      ];
      const none = searched === 0 && include !== undefined ? "(no match: no file has such a name or path)" : "(no match)";
      return {
        context: [...(matches === 0 ? [none] : found), ...notes].join("\n"),
        result: { matches, files: searched, truncated: isCut || skipped.late, skipped: skipped.slow + skipped.large },
      };
    },
  });

/** As grep prints them: a match with colons, a line around it with dashes, `--` between groups. */
function linesAround(name: string, text: string, hits: readonly number[], context: number, isLater: boolean): readonly string[] {
  if (hits.length === 0) return [];
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const matched = new Set(hits);
  const out: string[] = [];
  let next = 0;
  for (const hit of hits) {
    const from = Math.max(next, hit - context);
    if (context > 0 && (out.length > 0 ? from > next : isLater)) out.push("--");
    for (let at = from; at <= Math.min(hit + context, lines.length - 1); at++) {
      if (at > hit && matched.has(at)) break; // it brings its own
      const line = clipped((lines[at] ?? "").trimEnd(), LONGEST_LINE);
      out.push(matched.has(at) ? `${name}:${at + 1}: ${line}` : `${name}-${at + 1}- ${line}`);
      next = at + 1;
    }
  }
  return out;
}

/** A regular expression can run practically forever; `vm` can stop it. Returns the indexes of lines; undefined: it was stopped. */
function matcher(asked: string, ignoresCase: boolean): (text: string) => readonly number[] | undefined {
  const pattern = asked.replace(/^\(\?i\)/, "");
  const expression = expressionOf(pattern, ignoresCase || pattern !== asked ? "i" : "");
  const room = createContext({ expression, text: "", most: MOST_MATCHES });
  const script = new Script(`{
    const hits = [];
    let line = 0;
    for (const each of text.split("\\n")) {
      if (expression.test(each)) hits.push(line);
      if (hits.length > most) break;
      line++;
    }
    hits;
  }`);
  return (text) => {
    room["text"] = text;
    try {
      return Array.from(script.runInContext(room, { timeout: ONE_FILE_MS }) as readonly number[]);
    } catch {
      return undefined;
    }
  };
}

/** The stricter syntax knows Unicode. Other programs allow more backslashes, which the older syntax accepts. */
function expressionOf(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `u${flags}`);
  } catch (error) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      throw new Error(errorWords(error), { cause: error });
    }
  }
}

function* textsIn(
  files: WorkspaceFiles,
  path: string,
  include: string | undefined,
  ignoresNothing: boolean,
  skipped: { large: number; late: boolean },
): Generator<{ readonly name: string; readonly text: string }> {
  const directory = directoryAt(files, path);
  if (directory === undefined) {
    yield { name: path, text: files.read(path).toString("utf8") };
    return;
  }
  const limits = { milliseconds: PATIENCE_MS, fileBytes: LARGEST };
  const read = reader(budgetOf(limits));
  const isIncluded = include === undefined ? () => true : pathGlob(include);
  const onLate = () => {
    skipped.late = true;
  };
  try {
    for (const { at, path: below, place, isFile } of filesBelow(files, directory, { ignoresNothing, limits, onLate })) {
      if (!isFile || !(isIncluded(below) || isIncluded(place))) continue;
      const pieces: Buffer[] = [];
      const got = read(at, (piece) => pieces.push(Buffer.from(piece)));
      const bytes = Buffer.concat(pieces);
      if ("unread" in got) skipped.large += got.unread === "file-budget" ? 1 : 0;
      else if (!bytes.subarray(0, 8192).includes(0)) yield { name: place, text: bytes.toString("utf8") };
    }
  } finally {
    directory.close();
  }
}

function directoryAt(files: WorkspaceFiles, path: string): OpenDirectory | undefined {
  try {
    return files.openDirectory(path);
  } catch {
    return undefined; // a file, or nothing: reading it will show
  }
}
