import { z } from "zod";
import { type Refs, SUMMARY_VERSION, type Summary } from "../../pure/views/index.ts";
import { inputOf } from "./capture.ts";
import { refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  return object({
    id: z.string(),
    input: inputOf(),
    output: z.string(),
    toolCalls: z.array(z.string()).describe("The names of the tools, one per call, in order"),
    duration: z.number().describe("Milliseconds"),
    ...refs(),
  });
}

true satisfies Same<RecordOf<typeof record>, Summary & Partial<Refs>>;

export const summary = schema({
  name: "summary",
  version: SUMMARY_VERSION,
  title: "Summary",
  description: "A run in one line.",
  record,
});
