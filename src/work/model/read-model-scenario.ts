import { entriesOf, type Field, itemsOf, keysOf, required, stringOf } from "./field.ts";
import { type ModelScenario, type Script, textTurn } from "./model-scenario.ts";
import { readTurn } from "./read-turn.ts";
import { yamlField } from "./yaml-field.ts";

/** The conformance runner reads `run`, `expect` and `why` (docs/reference/conformance.md); the model ignores them. */
const SCENARIO = ["about", "marker", "turns", "subagents", "side", "watch", "run", "expect", "why"];

const MARKER = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Reads a scenario in YAML or JSON. `file` names it in errors; its name without the extension is the default marker. */
export function readModelScenario(text: string, file: string): ModelScenario {
  const root = yamlField(text, file);
  const keys = keysOf(root, SCENARIO, "a scenario");
  const marker = readMarker(root, keys.get("marker"), file);
  const watch = keys.get("watch");
  return {
    marker,
    scripts: [{ marker, kind: "main", turns: readTurns(required(root, keys, "turns")) }, ...readSubagents(marker, keys.get("subagents"))],
    ...readSide(keys.get("side")),
    watch: watch === undefined ? [] : itemsOf(watch, "texts").map(stringOf),
  };
}

function readMarker(root: Field, field: Field | undefined, file: string): string {
  const marker = field === undefined ? nameOf(file) : stringOf(field);
  if (MARKER.test(marker)) return marker;
  if (field !== undefined) throw field.wrong("must consist of letters, digits, dots, dashes and underscores, as in read-and-fix.");
  throw root.wrong('needs the key "marker", because the file name is not a valid one: use letters, digits, dots, dashes and underscores.');
}

/** `script`: for agents that offer no tools, for example because their model answers with programs. */
function readSide(field: Field | undefined): Pick<ModelScenario, "side"> {
  if (field === undefined) return { side: textTurn("A scripted conversation") };
  if (field.value === "script") return {};
  if (typeof field.value === "string") throw field.wrong("must be a turn, or the word script.");
  return { side: readTurn(field) };
}

function readTurns(field: Field): Script["turns"] {
  const turns = itemsOf(field, "turns").map(readTurn);
  if (turns.length === 0) throw field.wrong("must have at least one turn.");
  return turns;
}

/** Their markers are `<scenario>/<name>`, so that markers of different files cannot collide. */
function readSubagents(marker: string, field: Field | undefined): readonly Script[] {
  if (field === undefined) return [];
  return [...entriesOf(field, "subagents")].map(([name, script]) => {
    if (!MARKER.test(name)) throw script.wrong("must have a name of letters, digits, dots, dashes and underscores.");
    const turns = readTurns(required(script, keysOf(script, ["turns"], "a subagent"), "turns"));
    return { marker: `${marker}/${name}`, kind: "subagent", turns };
  });
}

function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(?:ya?ml|json)$/i, "");
}
