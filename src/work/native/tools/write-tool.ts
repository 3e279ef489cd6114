import { z } from "zod";
import { readText } from "../edits/index.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { OutsideError } from "../workspace-place.ts";
import { ourTool } from "./our-tool.ts";
import type { SeenFiles } from "./seen-files.ts";

export const writeTool = (files: WorkspaceFiles, seen: SeenFiles) =>
  ourTool({
    description:
      "Writes a whole file of the workspace. Creates missing directories. A file that exists must have been read before, unless `overwrite` is true.",
    shape: {
      path: z.string().describe("From the workspace's root, or absolute"),
      content: z.string().describe("The whole content"),
      overwrite: z.boolean().optional().describe("Replace a file without having read it"),
    },
    run({ path, content, overwrite = false }) {
      const { place, mode } = files.locate(path);
      const old = mode === undefined ? undefined : files.read(path);
      if (old !== undefined && !overwrite) demandKnown(seen.knows(place, old), old, path);
      const isWindows = old !== undefined && hasWindowsEnds(old, path);
      const bytes = Buffer.from(isWindows ? content.replace(/(?<!\r)\n/g, "\r\n") : content);
      files.write(path, bytes);
      seen.note(place, bytes);
      const was = old === undefined ? "" : `, was ${old.length}${isWindows ? "; line ends are still CRLF" : ""}`;
      return {
        context: `${old === undefined ? "Created" : "Replaced"} ${path} (${bytes.length} bytes${was}).`,
        result: { path, bytes: bytes.length, created: old === undefined },
      };
    },
  });

function demandKnown(known: "yes" | "changed" | "no", { length }: Buffer, path: string): void {
  if (known === "changed")
    throw new OutsideError(`${path} has changed since you read it. Read it again, or set overwrite to replace it anyway.`);
  if (known === "no" && length > 0)
    throw new OutsideError(
      `${path} exists (${length} bytes), and you have not read it. Read it first, change it with edit, or set overwrite.`,
    );
}

/** Every line of the file ends like on Windows, which `read` does not show. */
function hasWindowsEnds(bytes: Buffer, path: string): boolean {
  try {
    const ends = readText(bytes, path).lines.filter(({ end }) => end !== "");
    return ends.length > 0 && ends.every(({ end }) => end === "\r\n");
  } catch {
    return false; // it was not text
  }
}
