import { z } from "zod";
import type { Operation } from "../../pure/events/index.ts";
import type { Same } from "./same.ts";
import type { ObjectOf, RecordOf } from "./schema.ts";

/** What a tool call does to the world. */
export function operation(object: ObjectOf) {
  const path = z.string();
  const line = z.number().exactOptional();
  return z
    .discriminatedUnion("kind", [
      object({ kind: z.enum(["read", "write"]), path, startLine: line, endLine: line }),
      object({
        kind: z.literal("search"),
        query: z.string(),
        path: path.exactOptional(),
        emptyExit: z.number().exactOptional().describe("The exit code that means: ran, and matched nothing"),
      }),
      object({ kind: z.literal("list"), path: path.exactOptional() }),
      object({ kind: z.literal("command"), command: z.string(), workingDirectory: z.string().exactOptional() }),
      object({ kind: z.literal("skill"), path, skillName: z.string().exactOptional() }),
    ])
    .meta({ id: "Operation", description: "What a tool call does to the world" });
}

true satisfies Same<RecordOf<typeof operation>, Operation>;
