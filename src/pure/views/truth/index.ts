export { TRUTH_RULES } from "./finding.ts";
export { TRUTH_VERSION, type Truth, truth } from "./view.ts";
