import { z } from "zod";
import { CAPTURE_VERSION, type Capture, type Refs } from "../../pure/views/index.ts";
import { count, epochMs, refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";
import { stepOf } from "./trajectory.ts";

export const inputOf = () => z.union([z.string(), z.array(z.string())]).describe("The prompt; several turns are a list");

/** The fields of specification 004, alone or with what an evaluation adds. */
export function captureFields(object: ObjectOf) {
  return {
    id: z.string(),
    input: inputOf(),
    output: z.string().describe("The final answer"),
    expected: z.string().exactOptional(),
    trajectory: z.array(stepOf(object, {})),
    metadata: z.record(z.string(), z.unknown()).describe("Of the case, and the agent"),
    timing: object({
      start: epochMs(),
      end: epochMs(),
      firstResponse: count().exactOptional().describe("Milliseconds since start"),
    }),
    toolErrors: z.boolean().describe("Whether any tool call failed"),
    errors: z.array(z.string()).exactOptional(),
  };
}

function record(object: ObjectOf) {
  return object({ ...captureFields(object), ...refs() });
}

true satisfies Same<RecordOf<typeof record>, Capture & Partial<Refs>>;

export const capture = schema({
  name: "capture",
  version: CAPTURE_VERSION,
  title: "Capture",
  description: "A whole run as one record: what was asked, what was answered, and every step between.",
  record,
});
