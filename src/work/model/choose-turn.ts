import { objectOf } from "../../pure/base/index.ts";
import { type Conversation, markersIn, turnsSince } from "./conversation.ts";
import { type ModelScenario, type Script, type Turn, textTurn } from "./model-scenario.ts";
import { schemaExample } from "./schema-example.ts";

/** What a request belongs to: the main conversation, a subagent's, a side request (for a title, a summary, a choice), or no script at all. */
export type Kind = "main" | "subagent" | "side" | "unknown";

export interface Choice {
  readonly kind: Kind;
  readonly marker: string | null;
  /** Its index in the script. */
  readonly index: number | null;
  readonly turn: Turn;
  readonly scenario?: ModelScenario;
}

/**
 * Picks the script by the user's last marker, and the turn by counting the model's turns since that marker first appeared. So a retry
 * gets the same turn again, and conversations may interleave. A single scenario needs no marker.
 */
export function chooseTurn(scenarios: readonly ModelScenario[], conversation: Conversation): Choice {
  const scripts = new Map(scenarios.flatMap((scenario) => scenario.scripts.map((script) => [script.marker, { scenario, script }])));
  const said = conversation.said.map((each) => (each.by === "user" ? markersIn(each.text) : []));
  const marker = said.flat().findLast((each) => scripts.has(each)) ?? onlyMarker(scenarios, said.flat());
  const found = marker === undefined ? undefined : scripts.get(marker);
  const aside = isAside(conversation) ? sideTurn(found?.scenario ?? scenarios[0]) : undefined;
  if (aside !== undefined) {
    const turn = satisfying(aside.turn, conversation);
    return { kind: "side", marker: marker ?? null, index: null, ...aside, turn };
  }
  if (found === undefined || marker === undefined) return unknown(said.flat().at(-1), scenarios);
  const start = said.findIndex((markers) => markers.includes(marker));
  return scripted(found.script, found.scenario, turnsSince(conversation.said, Math.max(start, 0)));
}

function scripted(script: Script, scenario: ModelScenario, index: number): Choice {
  const { marker, kind, turns } = script;
  const turn = turns[index] ?? textTurn(`The script [[${marker}]] has ended: it has no turn ${index + 1}.`);
  return { kind, marker, index, turn, scenario };
}

/** No tools, or only a title is wanted: Codex's adapter asks for one in a thread with all its tools. */
function isAside({ tools, schema }: Conversation): boolean {
  return tools.length === 0 || Object.keys(objectOf(schema?.["properties"]) ?? {}).join() === "title";
}

/** The answer to a side request; undefined if the request is part of a conversation. */
function sideTurn(scenario: ModelScenario | undefined): Pick<Choice, "turn" | "scenario"> | undefined {
  if (scenario === undefined) return { turn: textTurn("") };
  return scenario.side === undefined ? undefined : { turn: scenario.side, scenario };
}

/** A client asks again and again, and waits longer each time, while the answer is not what its schema demands. */
function satisfying(turn: Turn, { schema }: Conversation): Turn {
  return schema === undefined || turn.text.startsWith("{") ? turn : { ...turn, text: JSON.stringify(schemaExample(schema)) };
}

function unknown(marker: string | undefined, scenarios: readonly ModelScenario[]): Choice {
  const known = scenarios.map((scenario) => `[[${scenario.marker}]]`).join(", ");
  const reason = marker === undefined ? "The prompt names no script." : `There is no script [[${marker}]].`;
  return { kind: "unknown", marker: marker ?? null, index: null, turn: textTurn(`${reason} Put one of these into the prompt: ${known}.`) };
}

function onlyMarker(scenarios: readonly ModelScenario[], named: readonly string[]): string | undefined {
  return scenarios.length === 1 && named.length === 0 ? scenarios[0]?.marker : undefined;
}
