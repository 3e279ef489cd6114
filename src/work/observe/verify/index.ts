export { type Verification, type VerifyOptions, verify } from "./verify.ts";
