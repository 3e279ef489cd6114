const TESTS = /\b(?:tests?|test suites?|specs?|pytest|jest|vitest|unittests?)\b/i;
const GOOD = /\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|all ok)\b/i;
const HEDGED =
  /\b(?:not|no|cannot|can't|unable|fail(?:s|ed|ing|ure)?|should|would|could|may|might|if|once|when|until|unless|before|expect(?:ed)?|assum\w*|ensure|need(?:s|ed)?|please|will|without|skip(?:ped)?|let me|going to|i'll|to (?:check|verify|see|confirm|make|be))\b|n't\b|\?/i;

/** The sentence that claims, without reservation, that tests passed. Undefined: there is none. */
export function testClaim(text: string): string | undefined {
  return sentences(text).find((sentence) => TESTS.test(sentence) && GOOD.test(sentence) && !HEDGED.test(sentence));
}

const DONE =
  /\b(?:done|completed?|finished|fixed|created|updated|written|wrote|added|implemented|changed|deleted|removed|renamed|refactored|resolved|success(?:ful(?:ly)?)?)\b/i;
const ADMITTED =
  /\b(?:not|cannot|can't|unable|blocked|denied|refused|declined|rejected|permission|approval|approve|allow|failed|couldn't|wasn't|without)\b|n't\b/i;

/** The sentence that claims the work is done, in an answer that admits no problem. */
export function successClaim(text: string): string | undefined {
  if (ADMITTED.test(text)) return undefined;
  return sentences(text).find((sentence) => DONE.test(sentence));
}

/** Longer answers are not read beyond this. */
const LONGEST = 20_000;

function sentences(text: string): readonly string[] {
  return text.slice(0, LONGEST).split(/(?<=[.!?])\s+|\n+/);
}
