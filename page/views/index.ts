export { evaluatedOf } from "./evaluated-of.ts";
export { ViewReader } from "./view-reader.tsx";
