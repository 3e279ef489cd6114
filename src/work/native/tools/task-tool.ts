import { z } from "zod";
import { ourTool } from "./our-tool.ts";

export const taskTool = () =>
  ourTool({
    description:
      "Lets another agent, with the same tools and a conversation of its own, work on a part of the task. It knows only what the prompt says; its last words come back.",
    shape: { description: z.string().optional().describe("What it is about, in a few words"), prompt: z.string().min(1) },
    async run({ prompt }, { context }) {
      if (context.subagent === undefined) throw new Error("Nobody can be asked from here; do it yourself.");
      const { runId, text, reason } = await context.subagent([{ role: "user", content: prompt }]);
      if (reason === "error") throw new Error(`The other agent failed${text === "" ? "." : `; it said last: ${text}`}`);
      return { context: text === "" ? "(it said nothing)" : text, result: { runId, reason } };
    },
  });
