/** Turns rows of { id, parent } into a forest of { id, children }. */
export function treeOf(rows) {
  return rows.filter(({ parent }) => parent === null).map(({ id }) => ({ id, children: rows.filter((row) => row.parent === id) }));
}
