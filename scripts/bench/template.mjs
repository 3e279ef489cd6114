// Lines that can be repeated in one session: every id gets a new name each time.

/** Keys whose values are unique ids: `id`, `tool_use_id`, `callID`, `receiver_thread_ids`, `uuid`. */
const ID_KEY = /^(id|uuid)$|_ids?$|I[Dd]s?$/;
/** A numeric id; the new digits go in front. */
const NUMBERED = ["step_index"];

/** The lines, cut at every id except the session's, so that digits between the pieces rename every id. */
export function templateOf(lines, own) {
  const ids = idsOf(lines.map((line) => JSON.parse(line)));
  for (const id of own) ids.delete(id);
  const named = [...ids].map((id) => id.replace(/[^\w-]/g, "\\$&"));
  const words = named.length === 0 ? [] : [`(?<=(?<![\\w-])(?:${named.join("|")}))(?![\\w-])`];
  const numbers = NUMBERED.map((key) => `(?<="${key}":)(?=\\d)`);
  return { pieces: `${lines.join("\n")}\n`.split(new RegExp([...words, ...numbers].join("|"))), count: lines.length };
}

/** The text with the ids of one round, all of the same length. */
export function writtenFor(round, { pieces }) {
  return pieces.join(String(1_000_000 + round));
}

/** A plain word is not a unique id: `"id":"mode"` names an option. */
export function idsOf(value, ids = new Set(), isId = false) {
  if (typeof value === "string" && isId && /\d/.test(value) && /^[\w-]{3,}$/.test(value)) ids.add(value);
  if (typeof value !== "object" || value === null) return ids;
  for (const [key, child] of Object.entries(value))
    idsOf(child, ids, Array.isArray(value) ? isId : ID_KEY.test(key) && !/model/i.test(key));
  return ids;
}
