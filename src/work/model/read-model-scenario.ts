import { entriesOf, type Field, itemsOf, keysOf, required, stringOf } from "./field.ts";
import { type ModelScenario, type Script, textTurn } from "./model-scenario.ts";
import { readTurn } from "./read-turn.ts";
import { yamlField } from "./yaml-field.ts";

/** `run`, `expect` and `why` belong to the conformance runner (docs/reference/conformance.md): the model does not read them. */
const SCENARIO = ["about", "marker", "turns", "subagents", "side", "watch", "run", "expect", "why"];

const MARKER = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A scenario of YAML, which JSON is a part of. `file` names it in errors; its name without the ending is the default marker. */
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
  if (field !== undefined) throw field.wrong("must be letters, digits, dots, dashes and underscores, as in read-and-fix.");
  throw root.wrong('needs the key "marker", because its file\'s name is none: letters, digits, dots, dashes and underscores.');
}

/** `script`: for agents whose model is offered no tools, and answers with programs, say. */
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

/** Their markers are `<scenario>/<name>`, so that no two files can mean the same one. */
function readSubagents(marker: string, field: Field | undefined): readonly Script[] {
  if (field === undefined) return [];
  return [...entriesOf(field, "subagents")].map(([name, script]) => {
    if (!MARKER.test(name)) throw script.wrong("must be named with letters, digits, dots, dashes and underscores.");
    const turns = readTurns(required(script, keysOf(script, ["turns"], "a subagent"), "turns"));
    return { marker: `${marker}/${name}`, kind: "subagent", turns };
  });
}

function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(?:ya?ml|json)$/i, "");
}
