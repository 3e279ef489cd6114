import { categoryOfText } from "../../shell/index.ts";
import { ALL_CLEAR, isOutcome, PRESUPPOSES } from "./words.ts";

/** A part of the final answer with one verb. */
export interface Clause {
  readonly text: string;
  /** The sentence it is from. */
  readonly sentence: string;
  /** The sentence has a condition, so a rule may doubt the clause but not contradict it. */
  readonly isConditional: boolean;
  /** The command lines that the sentence names. */
  readonly commands: readonly string[];
}

/** A longer sentence is not read. */
export const LONGEST_SENTENCE = 1_000;

/** Longer answers are not read beyond this. */
export const LONGEST_ANSWER = 20_000;

/** The clauses of an answer. A fragment without a verb belongs to the clause before it: “Created a.txt, b.txt and c.txt”. */
export function clausesOf(answer: string): readonly Clause[] {
  return readOf(answer).flatMap(({ sentence, isDenied, isGoal, commands }) => {
    if (sentence.length > LONGEST_SENTENCE || isGoal) return [];
    const isConditional = isDenied || isLabeled(sentence) || CONDITION.test(sentence.replace(ALL_CLEAR, "")) || PLAN.test(sentence);
    return partsOf(sentence).map((text) => ({ text, sentence, isConditional, commands }));
  });
}

export function sentencesOf(answer: string): readonly string[] {
  return readOf(answer).flatMap(({ sentence, isGoal }) => (isGoal ? [] : [sentence]));
}

interface Read {
  readonly sentence: string;
  /** It is struck out, marked as open, or in a list of what was not done. */
  readonly isDenied: boolean;
  /** It says what is wanted, not what is so. */
  readonly isGoal: boolean;
  readonly commands: readonly string[];
}

function readOf(answer: string): readonly Read[] {
  const plain = answer
    .slice(0, LONGEST_ANSWER)
    .normalize("NFKC")
    .replace(/[\u00ad\u200b-\u200f\u2060\ue000-\uf8ff\ufeff]/g, "")
    .replace(/<\/?[a-z][^<>\n]{0,200}>/gi, " ");
  let isUnderDenial = false;
  let isUnderGoal = false;
  let isTarget = false;
  let isUnderLabel = false;
  const named: string[] = [];
  return unquoted(proseOf(plain), named)
    .split("\n")
    .flatMap(itemsOf)
    .flatMap((line) => {
      const isItem = /^\s*(?:[-*+•–|>]|\d+[.)])/.test(line);
      const goal = GOAL.exec(bare(line));
      if (line.trim() !== "" && !isItem) {
        isUnderDenial = LIST_OF_OPEN.test(line);
        const label = /^\s*#|:\W*$/.test(line) ? bare(line).replace(/\W+$/u, "") : undefined;
        isUnderLabel = label !== undefined && !RESULT.test(label) && !ANNOUNCES.test(label);
        isUnderGoal = goal !== null && (goal[1] ?? "").trim() === "" && (/^\s*#/.test(line) || /:\W*$/.test(line));
      }
      const isWanted =
        (goal !== null && (isUnderGoal || /:/.test(goal[0]))) || (isItem && isUnderGoal) || /^\s*[-*+]?\s*(?:\[ \]|[⬜☐🔲])/u.test(line);
      const wanted = bare(goal === null ? line : (goal[1] ?? ""));
      if (goal !== null) isTarget = TARGET.test(bare(line));
      const isStatus = STATUS.test(wanted) || (!isTarget && FINITE.test(wanted));
      const isDone = isStatus || /[✅✔☑]|\[[xX]\]|\bI(?:'ve| have)?\b/u.test(line) || SETTLES.test(bare(line.replace(GOAL, "$1")));
      const isDenied = (isItem && isUnderLabel) || isWanted || (isItem && isUnderDenial) || OPEN_MARK.test(line) || /^\s*>/.test(line);
      const isGoal = isWanted && !isDone && !PRESUPPOSES.test(line);
      return line.split(/(?<=[.!?。！？])\s+|(?<=[。！？])/).map((text) => {
        const sentence = bare(text.replace(MARKED, ""));
        const commands = [
          ...(text.match(MARKED) ?? []).map((mark) => named[mark.charCodeAt(0) - FIRST_MARK] ?? ""),
          ...spelledIn(sentence),
        ];
        return { sentence, isDenied, isGoal, commands };
      });
    })
    .filter(({ sentence }) => /[\p{L}\p{N}✅✔☑🟢💯👍🎉]/u.test(sentence));
}

/** “Goal: all tests pass”, “## Acceptance criteria”: what follows is wanted. */
const GOAL =
  /^(?:the |my |our |your |original |user )*(?:goals?|tasks?|requests?|objectives?|aims?|requirements?|acceptance criteri(?:a|on)|success criteri(?:a|on)|criteria|conditions?|instructions?|prompt|ticket|user story|definition of done|expected(?: results?| behaviou?r| output)?|plan|to-?do|next steps?|(?:suggested|proposed|recommended) [\w ]{1,30}|recommendations?|open questions|ideas?|future work|follow-?ups?|you asked(?: for| me to)?|wanted)(?::\s*(.*)|\s*)$/i;
/** Behind these, a sentence says what must become so. */
const TARGET =
  /^(?:the |my |our |your |original |user )*(?:goals?|tasks?|requests?|objectives?|aims?|requirements?|(?:acceptance |success )?criteri|definition of done)/i;
/** “Goal: reached” is not a goal. */
const STATUS =
  /\b(?:none|nothing|done|met|complete\w*|reached|fulfilled|satisfied|achieved|matches|ok|okay|yes|finished|solved|resolved|hit|delivered)\b/i;
const FINITE = /\b(?:is|are|was|were|has|have|had|does|do|did|works?|holds?|runs|passes|exists?|contains?|now)\b/i;

/** What stands behind a label need not be so: “Target state: all tests pass.” */
function isLabeled(sentence: string): boolean {
  const label = /^([\p{L}][\p{L}' -]{1,40}):\s+\S/u.exec(sentence)?.[1];
  return label !== undefined && !RESULT.test(label);
}

/** “Here is what I did:” and “This run:” say that the list below is so. */
const ANNOUNCES = /\b(?:I|we|did|done|was|were|changed|following|here)\b/i;
const RESULT =
  /^(?:final |test |the |my |overall |current )*(?:results?|status|tests?|outcome|verification|verified|summary|done|conclusion|notes?|update|answer|changes?|changed|fix|fixed|files?|build|lint|checks?|validation|report|tl;?dr|in short|good news|yes|ok(?:ay)?|success|completed?|finished|what I did|all|i .*|we .*|testing|unit tests|commits?)$/i;

/** A verb in the past says that something was done, wherever it stands. */
const SETTLES = /^(?:\W*)(?:\w+ly )?(?:\w+ed|wrote|made|built|ran)\b|\b(?:was|were|been|now|already)\b/i;

const MARK = /[✅✔☑]\ufe0f?/u;

/** “✅ lint ✅ tests” and “lint ✅ tests ✅” are two items each. */
function itemsOf(line: string): readonly string[] {
  if (line.split(MARK).length < 3) return [line];
  return /^[\s>*+•–|-]*[✅✔☑]/u.test(line) ? line.split(/(?=[✅✔☑])/u) : line.split(/(?<=[✅✔☑]\ufe0f?)(?!\ufe0f)[\s,;|]*/u);
}

/** “Not done:”, “What I did not do:”, “## Remaining”: the list below it says what did not happen. */
const LIST_OF_OPEN =
  /\b(?:not|none|nothing|never|neither|remaining|remains?|skipped|left|open|pending|todo|to do|to-do|missing|next|later|future|out of scope|instead|without|fail(?:ed|s)?)\b|n't\b/i;
/** An empty box, a cross, struck-out text, or a cell that says no. */
const OPEN_MARK =
  /\b(?:not|none|n't)\b.*\bfollowing\b|\[ \]|[❌✗✘✖❎⬜☐🚫⛔🔲⏳]|~~|\|\s*(?:no|not|n\/a|none|pending|todo|skipped|-|–|—)\b/iu;

function bare(line: string): string {
  return line
    .replace(/^[\s>#|*+•–-]*(?:\d+[.)]\s+)?(?:\[[ xX]\]\s*)?/, "")
    .replace(/\[\^\w+\]:?/g, "")
    .replace(/\*\*|__|[|]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Each command in the answer leaves a mark, which no reader of sentences sees. */
const FIRST_MARK = 0xe000;
const MARKED = /[\ue000-\uf8ff]/g;

/** Commands without quotes: “npm test passes”. */
function spelledIn(sentence: string): readonly string[] {
  return (
    sentence.match(
      /\b(?:(?:npm|pnpm|yarn|bun) (?:run )?(?:test|build|lint|typecheck)|cargo (?:test|build|check|clippy)|go (?:test|build|vet)|node --test)\b/g,
    ) ?? []
  );
}

/** Code is not read, but prose in a code block is, and a result is announced as what it is: shown by the agent, and not known. */
function proseOf(answer: string): string {
  return answer.replace(/^[ \t]*(```|~~~)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm, (_, _mark, inside: string) => {
    const lines = inside.split("\n");
    const prose = lines.filter((line) => /^\s*[✅✔☑\p{Lu}][^{}=;<>$]*[.!]\s*$/u.test(line) || /✅|✔|☑/.test(line));
    const printed = lines.find((line, index) => PROMPT.test(lines[index - 1] ?? "") && line.trim() !== "" && !PROMPT.test(line));
    const result = printed ?? lines.find(isOutcome);
    return [...prose, ...(result === undefined ? [] : [`\nShown output: ${result.trim()}\n`])].join("\n");
  });
}

/** A line that someone typed. */
const PROMPT = /^\s*(?:[$%❯➜]|\S+[$%]) \S/;

/** A command in prose: what it shows, if it ends well. */
function spokenOf(code: string): string {
  if (/: /.test(code) && isOutcome(code)) return "PRINTED";
  if (categoryOfText(code) === "test") return "the tests";
  if (/\b(?:lint|eslint|biome|ruff|clippy|tsc|typecheck|type-check|mypy)\b/.test(code))
    return /tsc|type|mypy/.test(code) ? "the type check" : "the linter";
  if (categoryOfText(code) === "build") return "the build";
  return /^(?:sudo |time )?(?:npm|npx|pnpm|yarn|bun|node|deno|python3?|pip3?|make|git|cargo|go|docker|kubectl|curl|terraform|gradle|mvn|\.\/)\S*\s/.test(
    code,
  )
    ? "COMMAND"
    : "CODE";
}

const SAID =
  /\b(?:sa(?:id|ys)|ask(?:s|ed)?|task|request|prompt|message|titled?|called|named|prints?|printed|output|returns?|error|reads|comment|text|string|label|word)\b/i;

/** Quotations are someone else's words if the sentence says so. Of code in a sentence, names stay, and a test command is “the tests”. */
function unquoted(text: string, named: string[]): string {
  return text
    .replace(/`([^`\n]+)`/g, (_, code: string) => {
      if (!/\s/.test(code)) return code;
      const spoken = spokenOf(code);
      return /^(?:CODE|PRINTED)$/.test(spoken) || named.length > 1_000
        ? spoken
        : `${spoken}${String.fromCharCode(FIRST_MARK + named.push(code) - 1)}`;
    })
    .split("\n")
    .map((line) => (SAID.test(line) ? line.replace(/"[^"\n]{2,}"|“[^”\n]{2,}”|«[^»\n]{2,}»/g, "QUOTE") : line.replace(/["“”«»]/g, " ")))
    .join("\n");
}

/** Not yet, or not by the agent. */
const PLAN =
  /\b(?:should(?! (?:be noted|note|mention|add))|would|could|may|might|will(?! (?:see|find|notice))|shall|(?<!as )expect(?:s|ed)?|assum\w*|hopefully|probably|perhaps|maybe|please(?! (?:find|note|see))|let me|let us|going to|i'll|we'll|you'll|you (?:can(?! (?:now|see|rely|trust|be sure))|need|want|have to)|i (?:plan|intend|recommend|suggest|(?:can|need|want)(?! (?:to )?(?:confirm|say|report|assure|mention|note|add|stress|emphasi[sz]e)))|we (?:can|need)|next steps?|todo)\b|^(?:run|use|try|add|see|check|note that|make sure|ensure|remember|install|call|open|set|feel free|consider|do you|would you)\b/i;
/** A rule may doubt a claim with a condition, but not contradict it. */
const CONDITION =
  /\b(?:if|once|when|until|unless|before|assuming|provided|except|apart from|as (?:soon|long) as|without|but|however|fail(?:s|ed|ing|ures?)?|flaky|broken|skip(?:s|ped|ping)?|to (?:check|verify|see|confirm|ensure|make sure|be)|(?:says?|said|claims?|states?|means?|so) that)\b|\?|\b(?<!\b(?:I|we) )(?:says?|said|claims?|claimed|states?|stated|tells?|told|mentions?|mentioned|writes|asks?|asked|wants?|wanted|reads)\b|\baccording to\b/i;
/** Reports of what was not done, or does not work. “The failing test now passes” is none. */
const ADMISSION =
  /\b(?:not|no|none|neither|nor|cannot|unable|never|hardly|barely|blocked|denied|(?:fail(?:s|ed|ing)?|refus(?:es|ed|ing)) to)\b|n't\b/i;
const EMPHASIS = /\bnot (?:only|just|merely|surprisingly)\b|\bno (?:doubt|question|wonder|surprise|worries|less than|fewer than)\b/gi;

/** Whether a verb after this text is planned, wished or denied. */
export function isHedge(text: string): boolean {
  const before = text.replace(EMPHASIS, "");
  return (
    PLAN.test(before) ||
    ADMISSION.test(before) ||
    /\b(?:if|whether|unless|until)\b|^once\b|\byou(?:'ve|'d| have| had| already| just)*\s*$/i.test(before)
  );
}

const BREAK =
  /\s*[;:]\s+|(?<=(?<!to )\b(?:noted?|add|mention|say|confirm(?:ed)?|verified|checked|ensured|made sure|report|stress|announce|hear|find|see)) that |\s+[–—-]+\s+|\s*[()]\s*|,?\s+(?:but|so|because|while|whereas|since|although|though|which|then|plus|and|&)\s+|,\s+/i;

function partsOf(sentence: string): readonly string[] {
  const parts: string[] = [];
  for (const part of sentence.split(BREAK)) {
    const text = part.replace(/[.!]+$/, "").trim();
    if (text === "") continue;
    const last = parts.at(-1);
    if (last !== undefined && !SPEAKS.test(text) && !PLAN.test(text)) parts[parts.length - 1] = `${last}, ${text}`;
    else parts.push(text);
  }
  const [first = "", second] = parts;
  const shared = second === undefined || SPEAKS.test(first) || !SUBJECT.test(first) ? undefined : PREDICATE.exec(second)?.[0];
  return shared === undefined ? parts : [`${first} ${shared}`, ...parts.slice(1)];
}

/** “The tests and the linter pass” says something of both. */
const SUBJECT =
  /^(?!(?:after|before|with|in|on|for|since|by|from|to|as|of|at|without|during|via|using)\b).*\b(?:tests?|suites?|specs?|builds?|lint\w*|types?|checks?)$/i;
const PREDICATE = /\b(?:all |both |now |still )*(?:is|are|was|were|has|have|pass\w*|succe\w+|green|ok|okay)\b.*$|[✅✔☑].*$/i;

/** Has a verb or says something on its own. */
const SPEAKS =
  /\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|I|we|it|they|this|that|nothing|everything|pass\w*|fail\w*|work\w*|succe\w+|green|now|ran|wrote|made|built|done|fixed|found|\w{3,}ed|only|no|0|zero)\b|\d ?%|✅|✔|\p{Script=Han}|\p{Script=Cyrillic}/iu;
