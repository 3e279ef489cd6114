/** { section: { key: value } }. Keys before the first section are in "". */
export function parseIni(text) {
  const sections = { "": {} };
  let section = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("[")) section = line.slice(1, -1);
    const [key, value] = line.split("=");
    sections[section][key] = value;
  }
  return sections;
}
