/** Finds secrets in every spelling, and masks them in text, facts and files. */

export { type AnswerMasker, answerMasker } from "./answer-masker.ts";
export { placeList } from "./find-bytes.ts";
export { findEncoded } from "./find-encoded.ts";
export { type FindSecrets, findForms, nothingToFind } from "./find-forms.ts";
export { findSecrets } from "./find-secrets.ts";
export { findKnown, hideSecrets, hideSecretsIn, learnSecrets } from "./known-secrets.ts";
export { maskBytes } from "./mask-bytes.ts";
export { maskFact, maskWord } from "./mask-fact.ts";
export { finishMasking, maskInPlace } from "./mask-in-place.ts";
export { maskText } from "./mask-text.ts";
export { masker } from "./masker.ts";
export { type Earlier, pieceMasker } from "./piece-masker.ts";
export { SHORTEST_SECRET, secretForms } from "./secret-forms.ts";
export { isSecretName, mcpSecrets, secretNames, secretValues } from "./secret-names.ts";
