import type { Clause } from "./sentences.ts";
import { PAST, PRESUPPOSES } from "./words.ts";

/**
 * Sentences without a claim about the world: questions, greetings, offers, plans, conditions, announcements, quotations, headings. The list
 * is closed. What is not on it counts as a claim, so a pattern here must not leave room for a fact.
 */
export function isAside({ text, sentence }: Clause): boolean {
  if (PRESUPPOSES.test(text.replace(/[’]/g, "'"))) return false;
  if (isQuestion(sentence)) return true;
  const plain = text
    .replace(/[’]/g, "'")
    .replace(/[:.!…]+$/, "")
    .replace(/^(?:but|and|or|so|then|otherwise|also),? /i, "")
    .trim();
  return (
    isPlan(plain) ||
    (INSTRUCTS.test(plain) && hasOnly(plain, INSTRUCTION)) ||
    (EXPECTS.test(plain) && hasOnly(plain, EXPECTATION)) ||
    FIXED.some((each) => each.test(plain)) ||
    isAnnouncement(text) ||
    hasOnly(plain, HEADING) ||
    hasOnly(plain, COURTESY)
  );
}

/** “Here is what I did:” announces claims, and is none. */
export function isAnnouncement(text: string): boolean {
  const plain = text.replace(/[’]/g, "'").replace(/[:.!…]+$/, "");
  return ANNOUNCES.some((each) => each.test(plain));
}

/** “All tests pass, okay?” is not a question, and “Did you see that I sped it up?” says more than one. */
export function isQuestion(sentence: string): boolean {
  return /\?\s*$/.test(sentence) && ASKS.test(sentence) && !STATES.test(sentence.replace(ASKS, ""));
}

const ASKS =
  /(?:^|[,;:] (?:or|and|so|but)? ?)(?:do|does|did|is|are|was|were|can|could|shall|should|would|will|what|how|why|when|where|who|which|have|has|may|want|any|need|or)\b(?: you| I| we| it| they)?/i;

/** A second statement inside an offer or a question. */
const STATES = new RegExp(
  `\\b(?:is|are|was|were|has|have|had|did|does|now|already|that|which|who|whose|because|since|thanks|new)\\b|\\bI (?:\\w+ )?${PAST}\\b|\\b(?!(?:need|want|desir|requir|interest|prefer|relat|ask|request|suggest|recommend)ed\\b)${PAST}\\b`,
  "i",
);

const WILL =
  /^(?:(?:if (?:you|needed|necessary)[^,]{0,30}|next|later|finally|as a next step|in that case|from there|for that),? )?(?:I(?:'ll| will| can| would| may| might| shall| plan to| intend to| want to| am going to|'m going to|'d| would like to)|we(?:'ll| will| can| would| may| might| should| could)|let me|let's|(?:I(?:'m| am) )?(?:happy|glad) to|I(?:'d| would)(?: be)? (?:happy|glad) to|would you)(?: also| then| still| be happy to| be glad to| of course| gladly)*(?: have(?: been)? \w+(?:ed|wn|ne)$| have(?: been)? \w+(?:ed|wn|ne)\b)?/i;
const ADVISES = /^I (?:recommend|suggest|propose)\b/i;
/** What an agent offers to do. Unlike these, “I can reproduce it” and “we should be faster” are claims. */
const OFFERED =
  /^ (?:to )?(?:add|commit|push|open|create|write|update|do|make|change|adjust|revert|rename|remove|delete|explain|help|continue|extend|document|refactor|clean|squash|run|rerun|re-run|test|implement|fix|look|investigate|prepare|split|merge|release|tag|publish|deploy|walk|provide|send|wait|follow|take|keep|try|review|check|apply|start|like)\b/i;

/** The agent's own intention; what follows must not state anything. */
function isPlan(text: string): boolean {
  const frame = (ADVISES.exec(text) ?? WILL.exec(text))?.[0];
  if (frame === undefined || /^let me know\b/i.test(text)) return false;
  const rest = text.slice(frame.length);
  return !STATES.test(rest) && (ADVISES.test(frame) || / have\b/.test(frame) || OFFERED.test(rest));
}

const INSTRUCTS =
  /^(?:please |then |next |now |first |you (?:can|could|may|might|should|will|need to|may want to|might want to)(?: now| also| then)? |to \w+ |feel free to |make sure to |remember to )*(?:re-?run|run|review|check|verify|commit|push|merge|open|see|try|test|use|restart|let me know|have a look|take a look|look|ask|delete|remove)\b/i;
const INSTRUCTION =
  words(`please then next now first you can could may might should will need to want also feel free make sure remember re-run
  rerun run review check verify commit push merge open see try test tests use restart let me know have a take look ask delete remove if
  whether anything else something questions question any more further the a an it them this that these your my changes change diff branch
  main pr pull request yourself locally again and or by with in on for before after merging committing running command code file result
  when ready they pass fail passes that all like would 'd want prefer help need needed like do deploy release ci of at your end COMMAND QUOTE the tests build linter`);

const EXPECTS = /\b(?:should|would|might|may|could)\b/i;
const EXPECTATION =
  words(`the a all tests test suite build it this that these they everything both should would might may could pass passes passing
  work works succeed fail break now then be green fine still have again as well too also again after before`);

const COURTESY =
  words(`hello hi hey dear thanks thank you you're very much welcome great good nice have a an day morning evening sure okay ok
  happy to help glad cheers best regards sorry for the your report question request patience understood got it everyone there again wonderful perfect excellent enjoy coding take care anytime my pleasure`);

const HEADING = words(`summary of changes change changed files file notes note next steps step results result details before after overview
  what why how i did verification tests test testing usage example examples root cause background answer status reason key points main todo
  check checks name value type description item area optional output command commands code recommended recommendations limitations caveats
  known open questions explanation conclusion the and my here is are in short brief for this a report final goal goals task plan request`);

const FIXED: readonly RegExp[] = [
  /^(?:if (?:you|needed|necessary|desired|wanted|so|not)\b(?:'d| would| want| wish| like| prefer| need| have| run| any| to| me| it| this| that| the| tests?| questions?| more| else| anything| COMMAND)*)$/i,
  /^(?:if|when|once|after|until) (?:the |all |your )?(?:tests?|build|CI) (?:pass|passes|succeeds?|fails?|is green)$/i,
  /^(?:after|with|since|following|before|without) (?:the|this|that|my|these|your) (?:fix|change|changes|update)$/i,
  /^(?:at first|initially|before|after|in short|in summary|overall|for now|as expected|of course)$/i,
  /^had (?:the |any |a )?\w+ \w+ed$/i,
  /^(?:as )?(?:I|we) (?:expect|hope|guess|think so|believe so|assume)$/i,
  /^(?:as )?(?:you )?(?:requested|asked|agreed|instructed|wished|discussed)$/i,
  /^(?:QUOTE|CODE|COMMAND|the tests|\W*)$/,
  /^you (?:asked|said|wrote|requested)$/i,
  /^(?:that's|that is) (?:it|all)(?: for now)?$/i,
];

const ANNOUNCES: readonly RegExp[] = [
  /^(?:here(?:'s| is| are)|this is|below is|(?:a )?summary of) (?:a |the |my )?(?:short |brief |quick )?(?:summary|overview|report|list|what I did|what I changed|what changed|what was done|changes|result|results|details)(?: of (?:the |my )?(?:changes|work|results?))?(?: below)?$/i,
  /^what (?:I|we) (?:did|changed)$/i,
  /^(?:you|the (?:request|task|prompt|user|issue|message|ticket)|your (?:request|message|task))(?: \w+)? (?:said|says|asked|wrote|reads?|requested)(?: me)?(?: for)? QUOTE$/i,
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).map((word) => word.toLowerCase()));
}

function hasOnly(text: string, allowed: ReadonlySet<string>): boolean {
  const found = text.toLowerCase().match(/[\p{L}\p{N}_'./@-]+/gu) ?? [];
  return found.length > 0 && found.every((word) => allowed.has(word.replace(/^['./-]+|['./-]+$/g, "")));
}
