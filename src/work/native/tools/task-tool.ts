import { z } from "zod";
import { ourTool } from "./our-tool.ts";

export const taskTool = () =>
  ourTool({
    description:
      "Lets another agent, with the same tools and its own conversation, work on a part of the task. It knows only the prompt; you get its last message.",
    onlyReads: true,
    shape: {
      description: z.string().optional().describe("What it is about, in a few words"),
      prompt: z.string().min(1),
      subagent_type: z.string().optional().describe("Not needed: there is one kind"),
    },
    async run({ prompt }, { context }) {
      if (context.subagent === undefined) throw new Error("No further agent is available at this level. Do it yourself.");
      const { runId, text, reason } = await context.subagent([{ role: "user", content: prompt }]);
      if (reason === "error") throw new Error(`The other agent failed${text === "" ? "." : `. Its last message: ${text}`}`);
      return { context: text === "" ? "(it said nothing)" : text, result: { runId, reason } };
    },
  });
