import { z } from "zod";
import { readText, replacePassage, textBytes } from "../edits/index.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { ourTool } from "./our-tool.ts";
import type { SeenFiles } from "./seen-files.ts";

export const editTool = (files: WorkspaceFiles, seen: SeenFiles) =>
  ourTool({
    description:
      "Replaces a passage of a text file. The passage must occur exactly once, unless `all` is true. Line ends do not matter, and are kept.",
    shape: {
      path: z.string().describe("From the workspace's root, or absolute"),
      before: z.string().min(1).describe("The exact passage"),
      after: z.string().describe("The replacement"),
      all: z.boolean().optional().describe("Replace every occurrence"),
    },
    run({ path, before, after, all = false }) {
      const file = readText(files.read(path), path);
      const { lines, at, isLoose } = replacePassage(file.lines, { before, after, isAll: all }, path);
      const bytes = textBytes({ ...file, lines }, path);
      files.write(path, bytes);
      seen.note(files.locate(path).place, bytes);
      const where =
        at.length === 1
          ? `it at line ${at[0]}`
          : `${at.length} passages (lines ${at.slice(0, 20).join(", ")}${at.length > 20 ? ", …" : ""})`;
      const how = isLoose ? " It matched except for whitespace: check the result." : "";
      return { context: `Replaced ${where} of ${path}.${how}`, result: { path, replaced: at.length, lines: at } };
    },
  });
