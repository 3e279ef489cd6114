/** At most `limit` characters, the ellipsis included; a character is a code point. */
export function truncate(text, limit) {
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join("")}…` : text;
}
