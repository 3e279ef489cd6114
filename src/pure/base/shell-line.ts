/** Words of a command as one line, each in quotes where a shell would want them. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word))).join(" ");
}

/** A text that a shell takes as it is. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
