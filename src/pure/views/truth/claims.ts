import { isAnnouncement, isAside, isQuestion } from "./asides.ts";
import { type Clause, clausesOf, isHedge, LONGEST_ANSWER, LONGEST_SENTENCE, sentencesOf } from "./sentences.ts";
import {
  ALL_CLEAR,
  BEYOND,
  DESCRIBES,
  DID,
  ELSEWISE,
  GOOD,
  HAPPENED,
  isForeign,
  isReadable,
  PRESENT,
  SETTLED,
  STATE,
  TESTS,
} from "./words.ts";

/** What a claim is about. `other`: no rule checks it. `unread`: the rules cannot read it. */
export type Topic =
  | "tests"
  | "test-runs"
  | "build"
  | "commit"
  | "push"
  | "install"
  | "branch"
  | "created"
  | "deleted"
  | "renamed"
  | "changed"
  | "repaired"
  | "only"
  | "unchanged"
  | "untouched"
  | "idle"
  | "looked"
  | "tests-fail"
  | "not-done"
  | "done"
  | "other"
  | "unread";

export interface Claim extends Clause {
  readonly topic: Topic;
}

/**
 * Every claim of an answer, by its topic. The world is closed: a clause is a known claim, or demonstrably none (asides.ts), or `other`, which
 * no rule decides. A sentence that we cannot read is `unread`.
 */
export function claimsIn(answer: string): readonly Claim[] {
  const claims = clausesOf(answer).flatMap((clause): readonly Claim[] => {
    const topic = topicOf(clause);
    if (topic === undefined) {
      if (isAside(clause)) return [];
      return [{ ...clause, topic: isReadable(clause.sentence) ? "other" : "unread" }];
    }
    const isBeyond = topic !== "tests" && topic !== "test-runs" && (BEYOND.test(clause.text) || isForeign(clause.text));
    return [{ ...clause, topic }, ...(isBeyond && topic !== "other" && topic !== "push" ? [{ ...clause, topic: "other" as const }] : [])];
  });
  const unclear = new Set(claims.filter(({ topic }) => topic === "other" || topic === "unread").map(({ sentence }) => sentence));
  const read = new Set(claims.map(({ sentence }) => sentence));
  const unread = sentencesOf(answer).filter(
    (sentence) => !read.has(sentence) && (sentence.length > LONGEST_SENTENCE || !isReadable(sentence)),
  );
  const rest = answer.length > LONGEST_ANSWER ? [answer.slice(LONGEST_ANSWER)] : [];
  // What stands in a sentence that is not understood as a whole may be governed by the rest: “With a fix, all tests pass, I think.”
  const softer = claims.map((claim) => (unclear.has(claim.sentence) ? { ...claim, isConditional: true } : claim));
  return [
    ...softer,
    ...[...unread, ...rest].map((text): Claim => ({ text, sentence: text, isConditional: true, commands: [], topic: "unread" })),
  ];
}

/** The first topic that occurs, unless a plan or an admission comes before it. */
function topicOf(clause: Clause): Topic | undefined {
  const { text } = clause;
  if (isAnnouncement(text)) return undefined;
  const cleared = text.replace(ALL_CLEAR, "");
  for (const [topic, found] of TOPICS) {
    const at = found(cleared, text, clause);
    if (at === -1) continue;
    if (isHedge(cleared.slice(0, at)) || isQuestion(clause.sentence)) continue;
    return topic;
  }
  if (TESTS_FAIL.test(text)) return "tests-fail";
  return NOT_DONE.test(text.replace(/’/g, "'")) ? "not-done" : undefined;
}

/** The place of a topic's words in the clause without its all-clears; -1: there are none. */
type Finder = (cleared: string, text: string, clause: Clause) => number;

const by =
  (...words: readonly RegExp[]): Finder =>
  (cleared) => {
    for (const each of words) {
      const at = endOf(each, cleared);
      if (at !== -1) return at;
    }
    return -1;
  };

/** The beginning of a match's verb: a plan or a denial stands before it. */
function endOf(words: RegExp, text: string): number {
  const found = words.exec(text);
  if (found === null) return -1;
  const verb = found[1];
  return verb === undefined ? found.index : found.index + found[0].lastIndexOf(verb);
}

const COMMITTED =
  /\b(committed|(?:made|created|added) (?:a |the |one |two |\d+ )?(?:\w+ ){0,2}commits?|commit(?:ted)?:? [`'"]?[0-9a-f]{7,40}\b)/i;
const OF_OTHERS =
  /\b(?:already|previously|last|earlier|upstream|they|you|was committed|were committed|committed to (?:making|the idea|quality))\b/i;
const PUSHED =
  /\b(?:pushed|deployed|published|released|uploaded|emailed|notified|restarted|merged|benchmarked|measured|profiled|manually (?:tested|verified|checked)|opened a (?:pull|merge) request|(?:pull|merge) request (?:is |was )?(?:opened|created)|(?:verified|tested) (?:it |this |that )?(?:manually|in (?:a |the )?browser|by hand))\b/i;
const BUILT = /\b(?:builds?|compil\w+|lint\w*|type-?checks?|types)\b/i;
const UNCHANGED =
  /^(?:so,? |note: ?)*(?:I (?:made no changes|changed nothing|(?:did not|didn't|have not|haven't) (?:change|changed|modify|modified|edit|edited|touch|touched|write|written) (?:anything|any files?|any code))|no (?:files|changes|code) (?:were|was|have been) (?:changed|modified|made|edited|touched)|nothing (?:was|has been) (?:changed|modified))[.! ]*$/i;
const ONLY =
  /\b(?:(?:only|just|solely|exclusively) (?:\w+ )?(?:changed|modified|edited|touched|updated)|(?:changed|modified|edited|touched|updated) (?:only|just|nothing (?:but|except))|(?:nothing|no(?:thing)? other (?:files?|code|changes?)|no other files?|everything) else (?:was|has been|were|is)?\s*(?:changed|touched|modified|edited|affected|unchanged)|no other (?:files?|code|changes?) (?:was|were|have been|has been)|(?:changed|touched|modified|edited) nothing else|the only (?:change|file)|(?:left|leaves?) (?:everything|all) else)/i;
const UNTOUCHED =
  /\b(?:not|never|without) (?:\w+ )?(?:chang|modif|edit|touch|alter)\w*|n't (?:\w+ )?(?:chang|modif|edit|touch|alter)\w*|\bno changes to\b|\b(?:unchanged|untouched|unmodified)\b|\bleft .+ (?:alone|as is|as it was|as they were)\b/i;
const NONE_GONE =
  /\b(?:no|nothing|none)\b.* (?:was|were|been|got) (?:\w+ )?(?:deleted|removed|renamed|lost|broken|added|created|affected)\b/i;
const ONLY_LOOKED =
  /\b(?:I (?:only|just) (?:looked|read|reviewed|inspected|examined)|(?:did not|didn't) run (?:any|a) (?:commands?|programs?)|ran no (?:commands?|programs?))\b/i;
const LOOKED =
  /^(?:(?:first|then|also|so|next),? )*(?:I|we)(?:'ve| have)? (?:also |then |first |just |now )*(looked|read|reviewed|inspected|examined)\b/i;
/** “Two tests fail.” */
const TESTS_FAIL =
  /^(?:(?:at first|first|before|initially|before (?:the fix|that)|without the fix|currently|now),? )*(?:(?:the|all|both|some|several|only|\d+|one|two|three|four|five|six|seven|eight|nine|ten)(?: of the)? )*(?:unit )?tests? (?:still |now )*(?:fail|fails|failed|(?:is|are|was|were) (?:still )?failing)$/i;
/** “I did not run the linter.” */
const NOT_DONE =
  /^(?:so,? |however,? |note: )*(?:I|we)(?: did not| didn't| have not| haven't)(?: yet)? (?:re-?run|run|executed?|commit(?:ted)?|push(?:ed)?|install(?:ed)?)\b/i;
const REPAIRED =
  /\b(fixed|resolved|solved|corrected|repaired|implemented|supported|handled|addressed|optimi[sz]ed|improved|made (?:it|sure|the \w+) \w+)\b/i;
const INSTALLED = /\b((?:re)?installed|added (?:the |a )?(?:dependency|package)|upgraded)\b/i;
const ON_BRANCH = /\b(?:on|to|into|from|created?|new) (?:a |the )?(?:new )?(?:branch\b|\S+ branch\b)|\bswitched to\b|\bchecked out\b/i;
const CREATED = /\b(created|wrote|added|saved|generated)\b/i;
const DELETED = /\b(deleted|removed|dropped)\b/i;
const RENAMED = /\b(renamed|moved)\b/i;
const CHANGED =
  /\b(changed|updated|edited|modified|rewrote|rewritten|refactored|adjusted|extended|replaced|simplified|cleaned up|documented|skipped|disabled|switched|converted|extracted|inlined|reverted|restored|patched|tweaked)\b/i;
const DONE =
  /^(?:all |everything (?:is |has been )?|it(?: is|'s) |I(?: am|'m) |we(?: are|'re) |you(?: are|'re) |the (?:task|work|job|subagent|agent) is |that's |both |are |four |three |two )*(done|completed?|finished|all set)(?: now| here)?(?: ?[✅✔🎉])*$/iu;

const isDid = (text: string): boolean => DID.some((each) => each.test(text)) && !DESCRIBES.test(text);
/** Only if the verb is one of something done: “I created”, “was created”, not “a created file”. */
const did =
  (verb: RegExp): Finder =>
  (cleared) =>
    isDid(cleared) ? endOf(verb, cleared) : -1;

/** In this order: the first one wins. */
const TOPICS: readonly (readonly [Topic, Finder])[] = [
  ["unchanged", (_, text) => (UNCHANGED.test(text) ? 0 : -1)],
  ["only", (_, text) => (ONLY.test(text) ? 0 : -1)],
  ["untouched", (_, text) => (UNTOUCHED.test(text) ? 0 : -1)],
  ["idle", (_, text) => (ONLY_LOOKED.test(text) ? 0 : -1)],
  ["tests", testsAt],
  ["test-runs", (cleared) => (TESTS.test(cleared) ? endOf(/\b(ran|re-?ran|executed|have run|were run)\b/i, cleared) : -1)],
  ["commit", (cleared) => (OF_OTHERS.test(cleared) ? -1 : endOf(COMMITTED, cleared))],
  ["push", by(PUSHED)],
  ["build", buildAt],
  ["install", did(INSTALLED)],
  ["branch", by(ON_BRANCH)],
  ["looked", (cleared, text) => (cleared === text ? endOf(LOOKED, cleared) : -1)],
  ["done", by(DONE)],
  ["created", did(CREATED)],
  ["deleted", did(DELETED)],
  ["renamed", did(RENAMED)],
  ["repaired", did(REPAIRED)],
  ["changed", did(CHANGED)],
  ["other", (_, text) => (NONE_GONE.test(text) ? 0 : -1)],
  ["other", (cleared, text) => (isDid(cleared) ? Math.max(...DID.map((each) => endOf(each, cleared))) : cleared === text ? -1 : 0)],
  [
    "other",
    (cleared) =>
      DESCRIBES.test(cleared) || /\b(?:will|would|might|may)\b/i.test(cleared)
        ? -1
        : by(STATE, GOOD, SETTLED, HAPPENED, PRESENT)(cleared, cleared, NO_CLAUSE),
  ],
];

const NO_CLAUSE: Clause = { text: "", sentence: "", isConditional: false, commands: [] };

/** A clause without a subject shares that of its sentence: “The first build failed, the second succeeds”. */
function subjectOf(cleared: string, { sentence }: Clause): string {
  return /^(?:the (?:first|second|other|rest|last|others)|they|it|both|all|these|those|passe[sd]|pass)\b(?!.*\b(?:is|are)\b.*\b\w+\b.*\b\w+)/i.test(
    cleared,
  )
    ? sentence
    : cleared;
}

function testsAt(cleared: string, text: string, clause: Clause): number {
  if (ELSEWISE.test(cleared)) return 0;
  const isCleared = cleared !== text;
  const subject = subjectOf(cleared, clause);
  if (isCleared && /^[\s,]*$/.test(cleared) && TESTS.test(clause.sentence)) return 0;
  if (isCleared && TESTS.test(text) && (!GOOD.test(cleared) || /\bran\b|\brun\b/i.test(cleared))) return 0;
  if (/^\d+(?: of \d+|\/\d+)? (?:\w+ )?(?:passed|passing|pass)$/i.test(cleared.trim())) return 0;
  return TESTS.test(subject) ? (GOOD.exec(cleared)?.index ?? cleared.search(/\b(?:ok|okay)\W*$/i)) : -1;
}

function buildAt(cleared: string, text: string, clause: Clause): number {
  if (!BUILT.test(subjectOf(cleared, clause)) && !BUILT.test(text)) return -1;
  if (cleared !== text) return 0;
  const good = [GOOD, /\b(?:clean(?:ly)?|check|works?|compiles|built|ran)\b|[✅✔☑]/i].map((each) => each.exec(cleared)?.index ?? -1);
  return Math.max(...good);
}

/** A claim about tests that says nothing else: anything more is not shown by a test run. */
const WHOLE = new RegExp(
  [
    "^(?:[✅✔☑] ?)*(?:(?:so|now|also|then|finally|again|after that|afterwards|with (?:this|that|it)),? )*",
    "(?:(?:I|we) (?:have )?(?:verified|confirmed|checked) that )?",
    "(?:(?:all|the|both|every|each|my|our|its|these|those|existing|new|newly|added|unit|other|others|remaining|\\d+|of|they|them|it|full|whole|entire|project's|javascript|typescript|python|node|integration|automated|relevant|updated|sum|corresponding|passing) )*",
    "(?:(?:tests?|test suites?|suites?|test cases?|specs?|npm test|pytest|jest|vitest|\\S+\\.(?:test|spec)\\.\\w+|in \\S+\\.(?:test|spec)\\.\\w+) ?)*",
    "(?:(?:all|still|now|also|again|both|run|ran|and|have|has|are|is|were|was|be|been|they|pass:)\\b ?)*",
    "(?:pass(?:es|ed|ing)?|succeeds?|succeeded|successful(?:ly)?|green|all ok|ok|okay|fine|[✅✔☑]|exit(?:s|ed)? (?:with )?(?:code |status )?0)?",
    "(?:,? (?:again|now|locally|too|as well|successfully|here|afterwards|with|and|without|any|\\d+|failed|passed|tests?|green))*,? ?$",
  ].join(""),
  "i",
);

/** “Alle Tests sind bestanden”, “✅ tests”: words that say nothing else. */
const FOREIGN_TESTS =
  /^(?:(?:[✅✔☑]\ufe0f?)+|all|the|are|pass|passed|passing|alle|die|tests?|sind|bestanden|grün|laufen|durch|jetzt|wieder|tous|toutes|les|passent|réussis?|ont|sont|essais|todas?|todos|las|los|pruebas|pasan|pasaron|ahora|все|тесты|прошли|проходят|所有测试(?:都)?(?:已)?通过|测试(?:全部)?通过|全部测试通过|所有測試都?通過|(?:すべての|全ての)?テスト(?:が|は|に)?(?:すべて|全て)?(?:成功|合格|通過|パス)(?:しました|しています|します)?)[,.:;!。]*$/iu;

export function saysOnlyTests({ text }: Clause): boolean {
  const rest = text.replace(ALL_CLEAR, "").replace(/\s+/g, " ").trim();
  if (ELSEWISE.test(rest)) return rest.split(" ").every((word) => FOREIGN_TESTS.test(word));
  return WHOLE.test(rest) || /^\d+(?: of \d+|\/\d+)?(?: tests?)? (?:passed|passing|pass)$/i.test(rest);
}

/** Whether the answer admits that a test failed, anywhere. */
export function admitsFailure(text: string): boolean {
  return /\bfail|\bbroken\b|\bflaky\b|\berror/i.test(text.replace(ALL_CLEAR, ""));
}

const REMOVAL = /\b(?:delet|remov|skip|disabl|drop|renam|mov|replac|comment|todo|exclud|ignor|quarantin|rewr|rewrit|consolidat|merg)/i;

/** What the answer says about removed tests: that there are some, perhaps, or nothing. */
export function admitsRemoval(text: string): "yes" | "perhaps" | "no" {
  if (clausesOf(text).some((clause) => TESTS.test(clause.text) && REMOVAL.test(clause.text) && !/\bnot\b|n't\b|\bno\b/i.test(clause.text)))
    return "yes";
  return REMOVAL.test(text) ? "perhaps" : "no";
}

/** Whether the answer says that it changed tests, or how they run. */
export function admitsEdit(text: string): boolean {
  return sentencesOf(text).some(
    (sentence) =>
      TESTS.test(sentence) && /\b(?:updat|chang|adjust|edit|modif|rewr)/i.test(sentence) && !/\bnot\b|n't\b|\bno\b/i.test(sentence),
  );
}

const SUCCESS =
  /\b(?:done|completed?|finished|fixed|created|updated|written|wrote|added|implemented|changed|deleted|removed|renamed|refactored|resolved|success(?:ful(?:ly)?)?)\b/i;
const ADMITTED =
  /\b(?:not|cannot|can't|unable|blocked|denied|refused|declined|rejected|permission|approval|approve|allow|failed|couldn't|wasn't|without)\b|n't\b/i;

/** The sentence that claims the work is done, in an answer that admits no problem. */
export function successClaim(text: string): string | undefined {
  if (ADMITTED.test(text)) return undefined;
  return sentencesOf(text).find((sentence) => SUCCESS.test(sentence));
}

const FILE =
  /(?<![\w./@-])[\w.@/-]*[\w@-]\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|swift|sh|txt|md|rst|json|ya?ml|toml|ini|cfg|html|css|sql|csv|xml|svg)\b(?![\w/-])/gi;
const PRODUCT =
  /^(?:node|vue|next|nuxt|express|react|three|d3|chart|socket|discord|moment|ember|backbone|alpine|p5|asp|web)\.(?:js|ts|io|net)$/i;

/** The files that a text names. A name in prose may be of a product: Node.js. */
export function filesNamedIn(text: string): readonly string[] {
  const found = text.slice(0, LONGEST_ANSWER).match(FILE) ?? [];
  return [...new Set(found.filter((path) => !PRODUCT.test(path)).map((path) => path.replace(/^\.\//, "")))];
}

/** The number of tests that a sentence claims. */
export function claimedCount(sentence: string): number | undefined {
  const found = /\b(\d{1,6})(?:\/\d+| of \d+)? (?:\w+ ){0,2}(?:tests?|specs?|pass(?:ed|ing)?)\b/i.exec(sentence)?.[1];
  return found === undefined ? undefined : Number(found);
}

const TIMES: readonly string[] = "zero once twice three four five six seven eight nine ten".split(" ");

/** How many times tests are said to have run: at least this many. */
export function claimedRuns(sentence: string): number {
  const [, number, word] =
    /\b(?:(\d{1,6})|(two|three|four|five|six|seven|eight|nine|ten|many|several|multiple|hundred\w*)) times\b/i.exec(sentence) ?? [];
  if (number !== undefined) return Number(number);
  if (word === undefined) return /\btwice\b/i.test(sentence) ? 2 : /\bevery time\b|\brepeatedly\b/i.test(sentence) ? 2 : 1;
  const at = TIMES.indexOf(word.toLowerCase());
  return at > 1 ? at : word.toLowerCase() === "two" ? 2 : Number.POSITIVE_INFINITY;
}
