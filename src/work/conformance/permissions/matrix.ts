// The results of all runs, and what is wrong with them.
import { EXCEEDED, UNENFORCED } from "../../../pure/events/index.ts";
import { type Effect, effects } from "./effects.ts";
import { type Level, levelParts, levels } from "./levels.ts";
import type { Row } from "./row.ts";

export type { Row } from "./row.ts";

/** The codes of warnings that announce what an agent cannot enforce, or report what it exceeded. */
const ANNOUNCED = [UNENFORCED, EXCEEDED, "mode"];

/** The earlier rows with the new ones in their places, in the order of the agents. */
export function merged(rows: readonly Row[], more: readonly Row[], agents: readonly string[]): readonly Row[] {
  const byKey = new Map([...rows, ...more].map((row) => [`${row.agent} ${row.level}`, row]));
  return agents.flatMap((agent) => levels.flatMap((level) => byKey.get(`${agent} ${level}`) ?? []));
}

/** How a row of the matrix reads. */
export type Cell = "yes" | "no" | "exceeded" | "none";

/** `none`: it did not happen at `full` either, so the agent has no tool for it here. `default` is what it did without a rule. */
export function cellOf(rows: readonly Row[], agent: string, level: Level, effect: Effect): Cell | undefined {
  const did = (at: Level) => {
    const row = rows.find((each) => each.agent === agent && each.level === at);
    return row !== undefined && "did" in row ? row.did[effect] : undefined;
  };
  const happened = did(level);
  if (happened === undefined) return undefined;
  if (!happened) return did("full") === false ? "none" : "no";
  const isForbidden = levelParts[level].forbids.includes(effect) && !(level === "allow" && did("default") === true);
  return isForbidden ? "exceeded" : "yes";
}

/** What a row did in excess of its level. */
export function exceededIn(rows: readonly Row[], { agent, level }: Row): readonly Effect[] {
  return effects.filter((effect) => cellOf(rows, agent, level, effect) === "exceeded");
}

export function isAnnounced(row: Row): boolean {
  return "did" in row && row.warnings.some((code) => ANNOUNCED.includes(code));
}

/** Every silent excess, and every run that was denied everything and is not `blocked`. */
export function matrixProblems(rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row) => {
    if (!("did" in row)) return [];
    const over = exceededIn(rows, row);
    const silent =
      over.length > 0 && !isAnnounced(row) ? [`${row.agent} at ${row.level} exceeded it without a warning: ${over.join(", ")}`] : [];
    const isHeld = row.level === "read-only" && effects.every((effect) => !row.did[effect]);
    const other = isHeld && row.status.some((status) => status !== "blocked");
    return [...silent, ...(other ? [`${row.agent} at ${row.level} was denied everything and ended as ${row.status.join(", ")}`] : [])];
  });
}
