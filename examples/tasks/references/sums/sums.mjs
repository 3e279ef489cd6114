/** The sum of one field for every value of another, as a Map, because a value may have any name. */
export function sums(rows, by, field) {
  const result = new Map();
  for (const row of rows) result.set(row[by], (result.get(row[by]) ?? 0) + (row[field] ?? 0));
  return result;
}
