/**
 * The program a command's first word names: `cat`, `/usr/bin/cat` and `\cat` are all cat. Only as written: a name in
 * quotes or with an expansion is not recognised, so that the shortcut in `classify` can trust the plain text.
 */
export function programName(text: string): string | undefined {
  return /^(?:\\|\/(?:[^/\s'"\\$`]+\/)*bin\/)?([\w-]+|:)$/.exec(text)?.[1];
}
