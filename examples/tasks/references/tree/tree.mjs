/** Turns rows of { id, parent } into a forest of { id, children }, in the order of the rows. A row without a known parent is a root. */
export function treeOf(rows) {
  const nodes = new Map(rows.map(({ id }) => [id, { id, children: [] }]));
  const roots = [];
  for (const { id, parent } of rows) (nodes.get(parent)?.children ?? roots).push(nodes.get(id));
  return roots;
}
