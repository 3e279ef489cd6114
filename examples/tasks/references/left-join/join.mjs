/** Joins every row of `left` with the rows of `right` that have the same value in `key`; a row without a match stays alone. */
export function leftJoin(left, right, key) {
  const byKey = Map.groupBy ? Map.groupBy(right, (row) => row[key]) : grouped(right, key);
  return left.flatMap((row) => (byKey.get(row[key]) ?? [{}]).map((other) => ({ ...other, ...row })));
}

function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) groups.set(row[key], [...(groups.get(row[key]) ?? []), row]);
  return groups;
}
