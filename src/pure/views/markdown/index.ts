export { markdownSchema } from "./schema.ts";
export { markdown, markdownOf } from "./view.ts";
