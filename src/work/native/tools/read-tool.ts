import { z } from "zod";
import { type Line, readText, type TextFile } from "../edits/index.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { ourTool } from "./our-tool.ts";
import type { SeenFiles } from "./seen-files.ts";

const MOST_LINES = 2000;
const MOST_CHARACTERS = 100_000;
const LONGEST_LINE = 20_000;

export const readTool = (files: WorkspaceFiles, seen: SeenFiles) =>
  ourTool({
    description: `Reads a text file of the workspace. Returns at most ${MOST_LINES} lines, and says from which line to continue with offset and limit.`,
    onlyReads: true,
    shape: {
      path: z.string().describe("From the workspace's root, or absolute"),
      offset: z.int().min(1).optional().describe("The first line, counted from 1"),
      limit: z.int().min(1).optional().describe("How many lines"),
    },
    run({ path, offset = 1, limit = MOST_LINES }) {
      const bytes = files.read(path);
      const file = readText(bytes, path);
      seen.note(files.locate(path).place, bytes);
      const { lines } = file;
      const { shown, cutLines } = fitting(lines.slice(offset - 1, offset - 1 + Math.min(limit, MOST_LINES)));
      const next = offset + shown.length;
      const rest = lines.length - (next - 1);
      const notes = [
        ...(shown.length > 0 && rest > 0 ? [`… (${rest} more lines; continue with offset ${next})`] : []),
        ...(cutLines > 0 ? [`(${cutLines} lines are longer than ${LONGEST_LINE} characters, and cut)`] : []),
        ...about(file),
      ];
      const text =
        lines.length === 0 ? "(the file is empty)" : shown.length === 0 ? `(the file has only ${lines.length} lines)` : shown.join("\n");
      return {
        context: [text, ...notes].join("\n"),
        result: { path, lines: shown.length, totalLines: lines.length, truncated: cutLines > 0 || rest > 0 },
      };
    },
  });

/** As many whole lines as fit, and at least one. Only a very long line is cut itself. */
function fitting(lines: readonly Line[]): { readonly shown: readonly string[]; readonly cutLines: number } {
  const shown: string[] = [];
  let [characters, cutLines] = [0, 0];
  for (const { text } of lines) {
    const isLong = text.length > LONGEST_LINE;
    const line = isLong ? `${text.slice(0, LONGEST_LINE)}… (${text.length - LONGEST_LINE} more characters)` : text;
    if (shown.length > 0 && characters + line.length > MOST_CHARACTERS) break;
    characters += line.length + 1;
    if (isLong) cutLines++;
    shown.push(line);
  }
  return { shown, cutLines };
}

/** What the lines do not show. The tools that change a file keep it. */
function about({ lines, encoding }: TextFile): readonly string[] {
  const windows = lines.filter(({ end }) => end === "\r\n").length;
  const ends = windows === 0 ? [] : [windows >= lines.length - 1 ? "its lines end with CRLF" : `${windows} of its lines end with CRLF`];
  const facts = [...ends, ...(encoding === "UTF-8" ? [] : [`its encoding is ${encoding}`])];
  return facts.length === 0 ? [] : [`(${facts.join("; ")}; edits keep that)`];
}
