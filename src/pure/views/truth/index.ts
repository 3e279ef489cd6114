export { filesNamedIn } from "./claims.ts";
export { isNoise } from "./places.ts";
export { renderTruth } from "./render.ts";
export { type Truth, truthSchema } from "./schema.ts";
export { differingTokens } from "./tokens.ts";
export { truth } from "./view.ts";
