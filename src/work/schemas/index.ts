export { schemas } from "./schemas.ts";
