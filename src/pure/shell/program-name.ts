/**
 * The program that a command's first word names: `cat`, `/usr/bin/cat` and `\cat` are all cat. Quoted names and names with an expansion
 * are not recognised, so that the shortcut in `classify` can trust the plain text.
 */
export function programName(text: string): string | undefined {
  return /^(?:\\|\/(?:[^/\s'"\\$`]+\/)*bin\/)?([\w-]+|:)$/.exec(text)?.[1];
}
