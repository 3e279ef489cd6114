/** Settings of a repository that describe it, and run nothing. A value that is not listed can be a program: filters, aliases, editors. */
const KEPT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    core: [
      "repositoryformatversion",
      "filemode",
      "bare",
      "logallrefupdates",
      "ignorecase",
      "precomposeunicode",
      "symlinks",
      "autocrlf",
      "eol",
    ],
    extensions: ["objectformat", "refstorage", "partialclone", "noop", "compatobjectformat"],
    user: ["name", "email"],
    remote: ["url", "fetch"],
    branch: ["remote", "merge"],
  }),
);

/** The same configuration without anything that makes git run a program or read another file. Lines in an unusual form are left out. */
export function cleanGitConfig(text: string): string {
  let section: string | undefined;
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const header = /^\s*\[([A-Za-z]+)(?: "[^"\\]*")?\]\s*$/.exec(line);
    if (/^\s*\[/.test(line)) {
      section = header?.[1]?.toLowerCase();
      if (section !== undefined && KEPT.has(section)) lines.push(line.trim());
      else section = undefined;
      continue;
    }
    const [, key = "", value = ""] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*([^\\"]*)$/.exec(line) ?? [];
    if (section !== undefined && KEPT.get(section)?.includes(key.toLowerCase())) lines.push(`\t${key} = ${value.trim()}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
