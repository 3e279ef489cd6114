import { z } from "zod";
import { MARKDOWN_VERSION, type Markdown, type Refs } from "../../pure/views/index.ts";
import { refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  return object({ markdown: z.string(), ...refs() });
}

true satisfies Same<RecordOf<typeof record>, Markdown & Partial<Refs>>;

export const markdown = schema({
  name: "markdown",
  version: MARKDOWN_VERSION,
  title: "Evaluation record",
  description: "A run as a page for a reader or a judging model; with --json, the text as one string.",
  record,
});
