export { verifyTarget } from "./verify-target.ts";
