/** The stock after an order, as a new object; an order of more than there is is refused. */
export function reserve(stock, order) {
  const left = { ...stock };
  for (const [name, count] of Object.entries(order)) {
    if (!Object.hasOwn(stock, name) || stock[name] < count) throw new RangeError(`There is not enough of ${name}.`);
    left[name] -= count;
  }
  return left;
}
