/** The rows of a CSV text, each a list of fields. */
export function parseCsv(text) {
  return text.split("\n").map((line) => line.split(","));
}
