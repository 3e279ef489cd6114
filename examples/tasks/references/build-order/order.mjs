/** An order in which every name comes after its needs, including names that are only needed. A circle is an error that names it. */
export function orderOf(needs) {
  const order = new Set();
  const visit = (name, path) => {
    if (order.has(name)) return;
    if (path.includes(name)) throw new Error(`These need each other: ${[...path.slice(path.indexOf(name)), name].join(" > ")}`);
    for (const other of Object.hasOwn(needs, name) ? needs[name] : []) visit(other, [...path, name]);
    order.add(name);
  };
  for (const name of Object.keys(needs)) visit(name, []);
  return [...order];
}
