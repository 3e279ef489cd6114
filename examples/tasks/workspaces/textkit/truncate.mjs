/** At most `limit` characters; what was cut ends in an ellipsis. */
export function truncate(text, limit) {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
