// What must have happened against what did, as a list of differences. Sets are compared, never positions: parallel calls may end in any order.
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

const OPERATIONS = ["command", "read", "write", "search", "list", "skill"];
const CLASSES = ["input", "cacheRead", "cacheWrite", "output", "reasoning"];

/** Everything about one run that differs, in sentences; empty when it went as the scenario says. */
export function differences(scenario, agent, expected, run) {
  const { activity, result, ledger, workspace } = run;
  const of = (type) => activity.filter((event) => event.type === type);
  return [
    ...same("status", expected.status, result.status),
    ...same("exit code of harness run", exitCodeOf(expected.status, expected.signal), run.exitCode),
    ...unlessAny(expected.operations, (wanted) => operations(wanted, activity, agent, workspace)),
    ...unlessAny(expected.calls ?? "any", (wanted) => calls(wanted, run.stream)),
    ...unlessAny(expected.messages, (wanted) =>
      sets(
        "message",
        wanted,
        of("agent")
          .filter(({ subagentId }) => subagentId === undefined)
          .map(({ message }) => message),
      ),
    ),
    ...unlessAny(expected.warnings, (wanted) =>
      diagnostics(
        "warning",
        wanted,
        of("warning").filter(({ code }) => !agent.noise.includes(code)),
      ),
    ),
    ...unlessAny(expected.errors, (wanted) => diagnostics("error", wanted, of("error"))),
    ...sets(
      "subagent",
      subagentWords(expected.subagents),
      of("orchestration").map(({ action }) => action.replace("subagent_", "")),
    ),
    ...unlessAny(expected.unknown, (wanted) => same("unknown events", wanted, of("unknown").length)),
    ...served(scenario, expected, ledger),
    ...unlessAny(expected.usage, () => usage(agent, expected, result, ledger)),
    ...files(expected.files, workspace),
    ...derivation(run),
  ];
}

/** `any` is for what nobody can foresee. */
function unlessAny(expected, compare) {
  return expected === "any" ? [] : compare(expected);
}

function exitCodeOf(status, signal) {
  if (status === "canceled") return signal === "SIGINT" ? 130 : 143;
  return { completed: 0, timed_out: 124, hung: 124 }[status] ?? 1;
}

function same(what, expected, found) {
  return expected === found ? [] : [`${what}: expected ${show(expected)}, found ${show(found)}`];
}

// activity ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Expected ones say what must hold of them; every found one must be expected by one of them. */
function operations(expected, activity, agent, workspace) {
  const found = activity.filter(({ type }) => OPERATIONS.includes(type)).map((event) => operationOf(event, agent, workspace));
  const told = expected.filter(({ subagent }) => subagent !== true || agent.showsSubagents);
  const missing = told
    .map((entry) => wanted(entry, agent))
    .filter((want) => {
      const index = found.findIndex((have) => Object.entries(want).every(([key, value]) => have[key] === value));
      if (index >= 0) found.splice(index, 1);
      return index < 0;
    });
  return [...missing.map((each) => `missing operation: ${show(each)}`), ...found.map((each) => `operation nobody expected: ${show(each)}`)];
}

/** `{ read: README.md }` is a successful read; other keys say more, `success: null` that nobody told, and `any` that it does not matter. */
function wanted(entry, { tellsExitCodes, skillsAreFiles }) {
  const type = OPERATIONS.find((word) => word in entry);
  if (type === undefined) throw new Error(`an expected operation is one of ${OPERATIONS.join(", ")}: ${show(entry)}`);
  const { [type]: what, success = true, exitCode, ...rest } = entry;
  if (type === "skill" && skillsAreFiles) return { type: "read", what: `.agents/skills/${what}/SKILL.md`, success };
  // An agent that does not tell how a command ended tells at most that it ran.
  const isTold = type !== "command" || tellsExitCodes;
  return {
    type,
    what,
    ...(success === "any" ? {} : { success: isTold ? success : null }),
    ...(exitCode === undefined || !isTold ? {} : { exitCode }),
    ...rest,
  };
}

function operationOf(event, agent, workspace) {
  const { type, command, query, path, skillName, isSuccess = null, exitCode, subagentId, startLine, endLine } = event;
  const inside = path === undefined ? undefined : insideOf(path, workspace);
  const what = (command && agent.command(command)) ?? query ?? skillName ?? inside;
  return { type, what, path: inside, success: isSuccess, exitCode, startLine, endLine, subagent: subagentId !== undefined };
}

function insideOf(path, workspace) {
  if (!isAbsolute(path)) return path;
  const inside = relative(workspace, path);
  return inside.startsWith("..") ? path : inside || ".";
}

/** How the calls of the main thread ended: `{ succeeded: 1, failed: 2 }`, and `untold` for those that nobody told. */
function calls(expected, stream) {
  const words = stream
    .filter(({ type, subagent_id }) => type === "ToolEnd" && subagent_id === undefined)
    .map(({ success }) => (success === null ? "untold" : success ? "succeeded" : "failed"));
  return ["succeeded", "failed", "untold"].flatMap((word) =>
    same(
      `calls that ${word === "untold" ? "ended nobody knows how" : word}`,
      expected[word] ?? 0,
      words.filter((each) => each === word).length,
    ),
  );
}

function sets(what, expected, found) {
  const left = [...found];
  const missing = expected.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [...missing.map((each) => `missing ${what}: ${show(each)}`), ...left.map((each) => `${what} nobody expected: ${show(each)}`)];
}

/** Each is expected by its code, or by some of its words where it has none. */
function diagnostics(what, expected, events) {
  const words = events.map(({ code, message }) => code ?? expected.find((word) => message.includes(word)) ?? message);
  return sets(what, expected, words);
}

/** `{ started: 1, completed: 1 }` */
function subagentWords(counts) {
  return Object.entries(counts).flatMap(([word, count]) => Array.from({ length: count }, () => word));
}

// ledger ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every turn was asked for, nothing beyond them was, and what had to reach the model did. */
function served({ scripts, watch }, expected, ledger) {
  const problems = ledger.filter(({ kind }) => kind === "unknown").map(({ marker }) => `a request for the unknown script ${show(marker)}`);
  for (const [index, { marker, turns }] of scripts.entries()) {
    const asked = new Set(ledger.filter((entry) => entry.marker === marker && entry.turn !== null).map(({ turn }) => turn));
    if (index === 0 && expected.turns === "any") continue;
    problems.push(
      ...same(`turns of [[${marker}]] that were asked for`, (index === 0 ? expected.turns : undefined) ?? turns.length, asked.size),
    );
  }
  const seen = new Set(ledger.flatMap((entry) => entry.seen));
  return [...problems, ...watch.filter((text) => !seen.has(text)).map((text) => `never reached the model: ${show(text)}`)];
}

/** Class by class; a class the agent does not tell apart is part of the one it is told with. */
function usage(agent, expected, result, ledger) {
  const told = result.usage ?? {};
  const isTold = expected.usage !== "unknown" && (agent.countsFailures || expected.status === "completed");
  const want = !isTold ? noTokens : expected.usage === "ledger" ? charged(agent, ledger) : { ...zeroTokens, ...expected.usage };
  for (const [name, within] of isTold ? WITHIN : []) {
    if ((told[name] ?? null) === null) Object.assign(want, { [within]: want[within] + want[name], [name]: null });
  }
  // Who was charged nothing need not say so.
  if (CLASSES.every((name) => !want[name] && (told[name] ?? null) === null)) return [];
  return CLASSES.flatMap((name) => same(`usage, ${name}`, want[name], told[name] ?? null));
}

/** Where the tokens of a class are that an agent does not tell apart. */
const WITHIN = [
  ["reasoning", "output"],
  ["cacheRead", "input"],
  ["cacheWrite", "input"],
];

const noTokens = Object.fromEntries(CLASSES.map((name) => [name, null]));
const zeroTokens = Object.fromEntries(CLASSES.map((name) => [name, 0]));

function charged(agent, ledger) {
  const counted = ledger.filter(({ kind }) => agent.counts.includes(kind));
  return Object.fromEntries(CLASSES.map((name) => [name, counted.reduce((sum, { usage }) => sum + (usage?.[name] ?? 0), 0)]));
}

// the rest ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the workspace must contain afterwards; null is a file that must not be there. */
function files(expected, workspace) {
  return Object.entries(expected).flatMap(([name, content]) => {
    const path = join(workspace, name);
    return same(`content of ${name}`, content, existsSync(path) ? readFileSync(path, "utf8") : null);
  });
}

/** What was written live is what the recording gives, line by line. */
function derivation({ live, derived }) {
  return Object.keys(live).flatMap((name) => {
    const [then, now] = [live[name].split("\n"), derived[name].split("\n")];
    const index = Array.from({ length: Math.max(then.length, now.length) }).findIndex((_, i) => then[i] !== now[i]);
    return index < 0 ? [] : [`line ${index + 1}, ${name}: ${show(then[index])}\n    derived from the recording: ${show(now[index])}`];
  });
}

function show(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 400 ? text : `${text.slice(0, 200)} … ${text.slice(-60)} (${text.length} characters)`;
}
