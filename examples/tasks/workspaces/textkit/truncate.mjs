/** At most `limit` characters; a cut text ends in an ellipsis. */
export function truncate(text, limit) {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
