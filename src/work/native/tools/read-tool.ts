import { z } from "zod";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { fileText, linesOf } from "./file-text.ts";
import { fitted, ourTool } from "./our-tool.ts";

const MOST_LINES = 2000;
const MOST_CHARACTERS = 100_000;

export const readTool = (files: WorkspaceFiles) =>
  ourTool({
    description: `Reads a text file of the workspace. Returns at most ${MOST_LINES} lines; use offset and limit for more.`,
    shape: {
      path: z.string().describe("From the workspace's root, or absolute"),
      offset: z.int().min(1).optional().describe("The first line, counted from 1"),
      limit: z.int().min(1).optional().describe("How many lines"),
    },
    run({ path, offset = 1, limit = MOST_LINES }) {
      const lines = linesOf(fileText(files.read(path), path));
      const chosen = lines.slice(offset - 1, offset - 1 + Math.min(limit, MOST_LINES));
      const { text, isCut } = fitted(chosen.join("\n"), MOST_CHARACTERS);
      const rest = lines.length - (offset - 1 + chosen.length);
      const note = rest > 0 && !isCut ? `\n… (${rest} more lines, from line ${offset + chosen.length})` : "";
      const context =
        lines.length === 0 ? "(the file is empty)" : chosen.length === 0 ? `(the file has only ${lines.length} lines)` : text + note;
      return { context, result: { path, lines: chosen.length, totalLines: lines.length, truncated: isCut || rest > 0 } };
    },
  });
