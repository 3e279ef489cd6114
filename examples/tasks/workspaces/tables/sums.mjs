/** The sum of one field for every value of another: sums(rows, "city", "amount") is { Ulm: 3 }. */
export function sums(rows, by, field) {
  const result = {};
  for (const row of rows) result[row[by]] = result[row[by]] || 0 + row[field];
  return result;
}
