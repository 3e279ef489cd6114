export { type Conversation, converse } from "./converse.ts";
