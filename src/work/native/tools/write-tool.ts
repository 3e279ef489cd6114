import { z } from "zod";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { ourTool } from "./our-tool.ts";

export const writeTool = (files: WorkspaceFiles) =>
  ourTool({
    description: "Writes a file of the workspace and replaces its content. Creates missing directories.",
    shape: { path: z.string().describe("From the workspace's root, or absolute"), content: z.string().describe("The whole content") },
    run({ path, content }) {
      const isNew = files.write(path, content);
      const bytes = Buffer.byteLength(content);
      return { context: `${isNew ? "Created" : "Wrote"} ${path} (${bytes} bytes).`, result: { path, bytes, created: isNew } };
    },
  });
