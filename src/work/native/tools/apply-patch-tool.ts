import { z } from "zod";
import { type PatchPart, parsePatch } from "../parse-patch.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { fileText } from "./file-text.ts";
import { ourTool } from "./our-tool.ts";
import { patchText } from "./patch-text.ts";

const FORMAT = `Changes several files together. The patch is
*** Begin Patch
*** Update File: path      (then @@, and lines that begin with a blank, - or +)
*** Add File: path         (then lines that begin with +)
*** Delete File: path
*** End Patch
An update may begin with "*** Move to: path".`;

interface Step {
  readonly path: string;
  /** Undefined removes the file. */
  readonly content: string | undefined;
}

export const applyPatchTool = (files: WorkspaceFiles) =>
  ourTool({
    description: FORMAT,
    shape: { patchText: z.string().describe("From *** Begin Patch to *** End Patch") },
    run({ patchText: text }) {
      // Computes everything before it writes: a patch that does not fit changes nothing.
      const steps = parsePatch(text).flatMap((part) => stepsOf(part, files));
      for (const { path, content } of steps) {
        if (content === undefined) files.remove(path);
        else files.write(path, content);
      }
      const changes = steps.map(({ path, content }) => `${content === undefined ? "Removed" : "Wrote"} ${path}`);
      return { context: changes.join("\n"), result: { files: steps.map(({ path }) => path) } };
    },
  });

function stepsOf(part: PatchPart, files: WorkspaceFiles): readonly Step[] {
  const { path } = part;
  if (part.kind === "add") {
    if (files.exists(path)) throw new Error(`${path} already exists. Update it instead.`);
    return [{ path, content: part.content }];
  }
  const text = fileText(files.read(path), path);
  if (part.kind === "delete") return [{ path, content: undefined }];
  const content = patchText(text, part.hunks, path);
  if (part.moveTo === undefined) return [{ path, content }];
  return [
    { path: part.moveTo, content },
    { path, content: undefined },
  ];
}
