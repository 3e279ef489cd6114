/** { section: { key: value } } without prototypes. Keys before the first section are in "". */
export function parseIni(text) {
  const sections = Object.create(null);
  const open = (name) => (sections[name] ??= Object.create(null));
  let section = open("");
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === "" || line.startsWith(";") || line.startsWith("#")) continue;
    const name = /^\[(.*)\]$/.exec(line)?.[1];
    if (name !== undefined) {
      section = open(name.trim());
      continue;
    }
    const at = line.indexOf("=");
    section[at === -1 ? line : line.slice(0, at).trim()] = at === -1 ? "" : line.slice(at + 1).trim();
  }
  return sections;
}
