/** The published JSON Schema of every format. */

export { schemas } from "./schemas.ts";
