export { CONVERSATION_VERSION, conversation } from "./view.ts";
