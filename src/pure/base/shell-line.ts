/** Command arguments as one line, quoted if a shell needs it. */
export function shellLine(args: readonly string[]): string {
  return args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : inQuotes(arg))).join(" ");
}

/** Quotes a text so that a shell takes it verbatim. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
