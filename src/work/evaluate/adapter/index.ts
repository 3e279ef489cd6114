export { type AdapterCheck, judgeConversation } from "./judge-conversation.ts";
