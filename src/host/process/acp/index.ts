export { type Conversation, converse } from "./converse.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./permission.ts";
