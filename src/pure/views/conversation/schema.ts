import { schema, variants } from "../../base/index.ts";
import { harnessPlace, harnessVocabulary } from "../../events/index.ts";
import { refs } from "../refs.ts";

export const conversationSchema = schema({
  name: "conversation",
  version: "1.2",
  title: "Conversation event",
  description: "What was said and done, one event per line. runId distinguishes runs; parentId links them.",
  shape: variants(harnessVocabulary, { ...harnessPlace, ...refs }),
});
