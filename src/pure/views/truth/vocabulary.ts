import type { Account } from "./account.ts";
import { type Claim, filesNamedIn, type Topic } from "./claims.ts";
import { isDocument, isOwn } from "./places.ts";
import { PAST } from "./words.ts";

/** Words that add no fact. */
const FREE =
  words(`the a an this that these those it its they them their there here i i've we we've my our your is are was were be been has have
  had do does did of in to on at for from into onto and also too now then so just finally successfully well as first next following
  requested asked`);

/** What the rule for a topic looks at, as its claims say it. */
const OF_TOPIC: Readonly<Partial<Record<Topic, ReadonlySet<string>>>> = {
  created: words("created create wrote written added add saved generated new file folder directory called named"),
  deleted: words("deleted delete removed remove file folder directory"),
  renamed: words("renamed rename moved move file folder directory"),
  changed: words("changed change updated update edited edit modified modify rewrote rewritten adjusted file code"),
  repaired: words(
    "fixed fix resolved solved corrected correct repaired addressed bug issue problem error mistake failure failing function file code implementation requested",
  ),
  only: words(
    "only just solely exclusively changed change modified edited touched updated nothing but except no other else left leaves everything all file code was unchanged affected is",
  ),
  commit: words(
    "committed commit made create created added one two three four five fix change work update amended last new git empty branch",
  ),
  push: words("pushed push fix change commit branch remote origin main master it upstream"),
  build: words(
    "build built builds compile compiles compiled project succeed succeeds succeeded successful pass passes passed passing clean cleanly lint linter linting type types typecheck type-check check checks checker ok okay fine good green both all tests test suite still run ran exit exits exited code with 0 zero again second first failed no any without error errors problem problems warning warnings issue issues failure failures report reports reported finish finished",
  ),
  install: words(
    "installed install reinstalled upgraded package packages dependency dependencies module modules requirements version project",
  ),
  branch: words("branch on new created create switched checked out fix change work committed commit merged called named"),
  looked: words("looked read reviewed inspected examined around file code repository workspace project"),
  idle: words(
    "only just looked read reviewed inspected examined around not didn't any run ran no command commands program programs at file code",
  ),
  "test-runs": words(
    "ran rerun re-ran executed run tests test suite unit once twice times two three four five again after fix change with locally command COMMAND all",
  ),
  "tests-fail": words(
    "some several one two three four five six seven eight nine ten 1 2 3 4 5 6 7 8 9 10 tests test suite fail fails failed failing still now at before after initially currently without fix",
  ),
  "not-done": words(
    "not n't didn't haven't yet run rerun execute executed commit committed push pushed install installed build built tests test suite linter lint build type check anything any nothing change changes",
  ),
};

/** Topics whose rule reads the whole clause itself. */
const WHOLE: ReadonlySet<Topic> = new Set(["tests", "unchanged", "untouched", "done", "other", "unread"]);

/** What a claim says beyond what its rule looks at, word by word: that is not checked. */
export function leftOver(claim: Claim, account: Account): readonly string[] {
  const { topic, text } = claim;
  if (WHOLE.has(topic)) return [];
  const known = OF_TOPIC[topic] ?? new Set<string>();
  const grounded = groundOf(topic, account);
  const rest = filesNamedIn(text).reduce((left, file) => left.replaceAll(file, " "), text.replace(/’/g, "'"));
  return (rest.match(/[\p{L}\p{N}_'@-]+|[%$€+*=<>]/gu) ?? [])
    .map((word) => word.replace(/^['-]+|['-]+$/g, ""))
    .filter((word) => {
      const plain = word.toLowerCase();
      return plain !== "" && ![plain, singular(plain)].some((each) => FREE.has(each) || known.has(each) || grounded.has(each));
    });
}

const SAYS = new RegExp(`^(?:[✅✔☑]\\ufe0f?\\s*)*(?:(?:also|then|finally|so|now|done|first|next),? )*(?:(?:I|we)\\b|${PAST}\\b)`, "iu");

/**
 * Whether the agent says this of itself, or says nothing else. “Bob committed the old file” and “a file was created in the example” are neither,
 * and what is not asserted cannot be contradicted.
 */
export function isAsserted(claim: Claim, account: Account): boolean {
  return SAYS.test(claim.text) || leftOver(claim, account).length === 0;
}

/** The names of what changed; for a repair also those in the request, because tests that pass show that much. */
function groundOf(topic: Topic, { files, request, commands, calls }: Account): ReadonlySet<string> {
  const changes = (files?.body.changes ?? []).filter(({ path }) => !isOwn(path));
  const paths = changes.flatMap(({ path, was }) => (was === undefined ? [path] : [path, was]));
  const documents = paths.some(isDocument) ? ["doc", "documentation", "readme"] : [];
  const named = [...paths.flatMap(partsOf), ...documents];
  switch (topic) {
    case "repaired":
      return new Set([...named, ...partsOf(request)]);
    case "commit":
    case "push":
    case "branch":
      return new Set([
        ...named,
        ...partsOf(request),
        ...commands.flatMap(({ body }) => (body.category === "vcs" ? body.argv.slice(1) : [])).map((word) => word.toLowerCase()),
        ...hashesIn(files?.body.commits?.made ?? []),
      ]);
    case "install":
      return new Set(
        commands.flatMap(({ body }) =>
          body.category === "install" ? body.argv.flatMap((word) => [word, word.replace(/(?<=.)[@=].*$/, "")]) : [],
        ),
      );
    case "looked":
    case "idle":
      return new Set(
        calls.flatMap(({ operations }) =>
          operations.flatMap(({ operation }) =>
            partsOf(operation.kind === "command" ? operation.command : "path" in operation ? String(operation.path) : ""),
          ),
        ),
      );
    case "test-runs":
      return new Set(commands.flatMap(({ body }) => (body.category === "test" ? body.argv.flatMap(partsOf) : [])));
    case "build":
    case "tests-fail":
    case "not-done":
      return new Set();
    default:
      return new Set(named);
  }
}

function hashesIn(made: readonly string[]): readonly string[] {
  return made.flatMap((hash) => Array.from({ length: 34 }, (_, index) => hash.slice(0, 7 + index)));
}

function partsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((part) => part.length > 1)
    .map(singular);
}

export function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
