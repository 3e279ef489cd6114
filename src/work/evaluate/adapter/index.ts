export { type AdapterCheck, judgeConversation } from "./judge-conversation.ts";
export { adapterFiles } from "./templates.ts";
