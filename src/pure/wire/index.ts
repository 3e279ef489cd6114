/** What passes between an agent and its model: requests in four protocols, their answers, and how a recording holds them. */

export { type AnswerReader, answerReader } from "./answer-reader.ts";
export { askedBy, type Dialect, dialectAt } from "./dialects.ts";
export { limitsIn, retryAfterIn, shownHeaders, shownPath } from "./headers.ts";
export { type DiffLine, differences, matcher } from "./matcher.ts";
export { normalizer } from "./normal-request.ts";
export { type Part, partsOf, textOfParts } from "./parts.ts";
export { type WireLine, wireLineOf } from "./wire-line.ts";
