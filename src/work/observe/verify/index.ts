export { verifyTarget } from "./verify.ts";
