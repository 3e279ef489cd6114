// Lines that can be written again and again as the work of one session: every id in them gets a new name each time.

/** Keys whose values name something that exists once: `id`, `tool_use_id`, `callID`, `receiver_thread_ids`, `uuid`. */
const ID_KEY = /^(id|uuid)$|_ids?$|I[Dd]s?$/;
/** An id that is a number: the new digits come before it. */
const NUMBERED = ["step_index"];

/** The lines, cut at every id that is not the session's own, so that digits between the pieces give every id a new name. */
export function templateOf(lines, own) {
  const ids = idsOf(lines.map((line) => JSON.parse(line)));
  for (const id of own) ids.delete(id);
  const named = [...ids].map((id) => id.replace(/[^\w-]/g, "\\$&"));
  const words = named.length === 0 ? [] : [`(?<=(?<![\\w-])(?:${named.join("|")}))(?![\\w-])`];
  const numbers = NUMBERED.map((key) => `(?<="${key}":)(?=\\d)`);
  return { pieces: `${lines.join("\n")}\n`.split(new RegExp([...words, ...numbers].join("|"))), count: lines.length };
}

/** The template's text with the names of one round, all of the same length. */
export function writtenFor(round, { pieces }) {
  return pieces.join(String(1_000_000 + round));
}

/** Words are no ids: `"id":"mode"` names an option, and is the same thing every time. */
export function idsOf(value, ids = new Set(), isId = false) {
  if (typeof value === "string" && isId && /\d/.test(value) && /^[\w-]{3,}$/.test(value)) ids.add(value);
  if (typeof value !== "object" || value === null) return ids;
  for (const [key, child] of Object.entries(value))
    idsOf(child, ids, Array.isArray(value) ? isId : ID_KEY.test(key) && !/model/i.test(key));
  return ids;
}
