/** Finds secrets in every spelling, and masks them in text, facts and files. */

export { maskFact, maskWord } from "./mask-fact.ts";
export { finishMasking, maskInPlace } from "./mask-in-place.ts";
export { maskText } from "./mask-text.ts";
export { type FindSecrets, findForms, masker, nothingToFind, placeList } from "./masker.ts";
export { mcpSecrets, SHORTEST_SECRET, secretForms, secretNames } from "./secret-forms.ts";
