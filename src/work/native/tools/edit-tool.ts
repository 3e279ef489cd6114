import { z } from "zod";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { OutsideError } from "../workspace-place.ts";
import { fileText } from "./file-text.ts";
import { ourTool } from "./our-tool.ts";

export const editTool = (files: WorkspaceFiles) =>
  ourTool({
    description: "Replaces a passage of a text file. The passage must occur exactly once, unless `all` is true.",
    shape: {
      path: z.string().describe("From the workspace's root, or absolute"),
      before: z.string().min(1).describe("The exact passage"),
      after: z.string().describe("The replacement"),
      all: z.boolean().optional().describe("Replace every occurrence"),
    },
    run({ path, before, after, all = false }) {
      const pieces = fileText(files.read(path), path).split(before);
      const count = pieces.length - 1;
      if (count === 0) throw new OutsideError(`${path} does not contain this passage. Read the file again and repeat the passage exactly.`);
      if (count > 1 && !all)
        throw new OutsideError(`${path} contains this passage ${count} times. Include more of the surrounding text, or set all.`);
      files.write(path, pieces.join(after));
      return { context: `Replaced ${count === 1 ? "it" : `${count} passages`} in ${path}.`, result: { path, replaced: count } };
    },
  });
