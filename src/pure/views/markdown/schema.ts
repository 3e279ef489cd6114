import { object, type Static, text } from "../../base/index.ts";
import { viewSchema } from "../view-schema.ts";

/** Specification 004's evaluation record, for people and for a judging model. */
const markdown = object({ markdown: text });
export type Markdown = Static<typeof markdown>;

export const markdownSchema = viewSchema({
  name: "markdown",
  version: "1.1",
  title: "Evaluation record",
  description: "A run as a page for a reader or a judging model; with --json, the text in pieces, to be joined.",
  shape: markdown,
});
