export { MARKDOWN_VERSION, type Markdown, markdown, markdownOf } from "./view.ts";
