export { requestsSchema } from "./schema.ts";
export { requests } from "./view.ts";
