export { conversationSchema } from "./schema.ts";
export { conversation } from "./view.ts";
