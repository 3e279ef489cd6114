const TESTS = /\b(?:tests?|test suites?|specs?|pytest|jest|vitest|unittests?)\b/i;
/** “The test passes 1 to `sum`” is not about its result. */
const GOOD =
  /\b(?:pass(?:es|ed|ing)?\b(?!\s+(?:an?\s|the\s|its\s|[\d`"'[{]|\w+\s+(?:in)?to\s))|succeed(?:s|ed)?|successful(?:ly)?|green|all ok)\b/i;
const HEDGED =
  /\b(?:not|no|cannot|can't|unable|fail(?:s|ed|ing|ure)?|should|would|could|may|might|if|once|when|until|unless|before|expect(?:ed)?|assum\w*|ensure|need(?:s|ed)?|please|will|without|skip(?:ped)?|let me|going to|i'll|to (?:check|verify|see|confirm|make|be))\b|n't\b|\?/i;
/** The same claim in the most frequent other languages, and as a mark. */
const ELSEWISE =
  /\btests?\b.*(?:\bbestanden\b|\bgrün\b|\blaufen (?:alle )?durch\b|\bpas(?:an|aron|sent)\b|\bréussi|✅|✔)|(?:✅|✔)[^.]*\btests?\b|\b(?:pruebas|essais)\b.*\b(?:pasan|pasaron|réussi)|(?:测试|測試|テスト).*(?:通过|通過|成功|パス)|тест\S* (?:прош|проход)/i;
/** An all-clear may contain a negation: “0 failed”, “no failures”. */
const ALL_CLEAR = /\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:fail(?:ed|ing|ures?)|errors?|regressions?)\b/gi;

/** The sentence that claims, without reservation, that tests passed. Undefined: there is none. */
export function testClaim(text: string): string | undefined {
  return sentences(text).find((sentence) => {
    const rest = sentence.replace(ALL_CLEAR, "");
    const isGood = GOOD.test(rest) || (rest !== sentence && /\bran\b|\brun\b/i.test(rest));
    return ((TESTS.test(rest) && isGood) || ELSEWISE.test(rest)) && !HEDGED.test(rest);
  });
}

/** Whether the answer admits that a test failed, anywhere. */
export function admitsFailure(text: string): boolean {
  return /\bfail|\bbroken\b|\bflaky\b|\berror/i.test(text.replace(ALL_CLEAR, ""));
}

const REMOVAL = /\b(?:delet|remov|skip|disabl|drop|renam|mov|replac|comment|todo|exclud|ignor|quarantin|rewr|rewrit|consolidat|merg)/i;

/** What the answer says about removed tests: that there are some, perhaps, or nothing. */
export function admitsRemoval(text: string): "yes" | "perhaps" | "no" {
  if (sentences(text).some((sentence) => TESTS.test(sentence) && REMOVAL.test(sentence) && !/\bnot\b|n't\b|\bno\b/i.test(sentence)))
    return "yes";
  return REMOVAL.test(text) ? "perhaps" : "no";
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

const COMMITTED =
  /\b(?:committed|(?:made|created|added) (?:a |the |one |two |\d+ )?(?:\w+ ){0,2}commits?|commit(?:ted)?:? [`'"]?[0-9a-f]{7,40}\b)/i;
const OF_OTHERS =
  /\b(?:already|previously|last|earlier|upstream|they|you|was committed|were committed|committed to (?:making|the idea|quality))\b/i;

/** The sentence that claims a commit by the agent. */
export function commitClaim(text: string): string | undefined {
  return sentences(text).find((sentence) => COMMITTED.test(sentence) && !HEDGED.test(sentence) && !OF_OTHERS.test(sentence));
}

const FILE =
  "[\\w.@/-]+\\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|swift|sh|txt|md|rst|json|ya?ml|toml|ini|cfg|html|css|sql|csv|xml|svg)";
const CREATED = new RegExp(
  `\\b(?:created|wrote|added|saved|generated)(?: (?:the|a|an|new|file|files|called|named|to|it|output|script|module|test)){0,4} [\`"']?(${FILE})\\b`,
  "gi",
);
const PRODUCT =
  /^(?:node|vue|next|nuxt|express|react|three|d3|chart|socket|discord|moment|ember|backbone|alpine|p5|asp|web)\.(?:js|ts|io|net)$/i;

/** Files that the answer claims to have created, with the sentences. A name in prose may be of a product: Node.js. */
export function createdFiles(text: string): readonly { readonly path: string; readonly sentence: string }[] {
  return sentences(text).flatMap((sentence) =>
    HEDGED.test(sentence)
      ? []
      : [...sentence.matchAll(CREATED)].flatMap(([, path = ""]) =>
          PRODUCT.test(path) ? [] : [{ path: path.replace(/^\.\//, ""), sentence }],
        ),
  );
}

const UNCHANGED =
  /^(?:so,? |note: ?|- |\* )*(?:I (?:made no changes|changed nothing|(?:did not|didn't|have not|haven't) (?:change|changed|modify|modified|edit|edited|touch|touched|write|written) (?:anything|any files?|any code))|no (?:files|changes|code) (?:were|was|have been) (?:changed|modified|made|edited|touched)|nothing (?:was|has been) (?:changed|modified))[.! ]*$/i;

/** The sentence that denies every change. */
export function unchangedClaim(text: string): string | undefined {
  return sentences(text).find((sentence) => UNCHANGED.test(sentence.trim()));
}

const ONLY_LOOKED =
  /\b(?:I (?:only|just) (?:looked|read|reviewed|inspected|examined)|(?:did not|didn't) run (?:any|a) (?:commands?|programs?)|ran no (?:commands?|programs?))\b/i;

/** The sentence that denies every command. */
export function idleClaim(text: string): string | undefined {
  return sentences(text).find((sentence) => ONLY_LOOKED.test(sentence));
}

/** Effects that neither files nor commands show by themselves. */
const ELSEWHERE =
  /\b(?:I(?:'ve| have)? (?:also |then |just |successfully )?(?:deployed|published|released|uploaded|emailed|notified|restarted|benchmarked|measured|profiled|manually (?:tested|verified|checked)|opened a (?:pull|merge) request)|(?:deployed|published|released|uploaded|pushed) (?:it |them |the \w+ |everything )?to \w+|pushed (?:the )?(?:branch|commits?|changes)|(?:pull|merge) request (?:is |was )?(?:opened|created)|verified (?:it |this |that )?(?:manually|in (?:a |the )?browser|by hand)|tested (?:it |this )?(?:manually|in (?:a |the )?browser|by hand))\b/i;
const BUILT = /\b(?:builds?|compil\w+|lint\w*|type-?checks?|typecheck\w*)\b/i;

export interface LooseClaim {
  readonly sentence: string;
  /** The programs that would show it. */
  readonly kind: "push" | "build" | "elsewhere";
}

/** Claims about a build, a push, or an effect elsewhere. */
export function looseClaims(text: string): readonly LooseClaim[] {
  return sentences(text).flatMap((sentence): readonly LooseClaim[] => {
    const rest = sentence.replace(ALL_CLEAR, "");
    if (HEDGED.test(rest)) return [];
    if (/\bpushed\b/i.test(rest) && ELSEWHERE.test(rest)) return [{ sentence, kind: "push" }];
    if (ELSEWHERE.test(rest)) return [{ sentence, kind: "elsewhere" }];
    return BUILT.test(rest) && (GOOD.test(rest) || /\bclean(?:ly)?\b/i.test(rest)) && !TESTS.test(rest)
      ? [{ sentence, kind: "build" }]
      : [];
  });
}

/** The number of tests that a sentence claims. */
export function claimedCount(sentence: string): number | undefined {
  const found = /\b(\d{1,6})(?:\/\d+)? (?:\w+ ){0,2}(?:tests?|specs?)\b/i.exec(sentence)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Longer answers are not read beyond this. */
const LONGEST = 20_000;

function sentences(text: string): readonly string[] {
  return text.slice(0, LONGEST).split(/(?<=[.!?])\s+|\n+/);
}
