/** The stock after an order, as a new object. Throws if the order exceeds the stock. */
export function reserve(stock, order) {
  const left = { ...stock };
  for (const [name, count] of Object.entries(order)) {
    if (!Object.hasOwn(stock, name) || stock[name] < count) throw new RangeError(`There is not enough of ${name}.`);
    left[name] -= count;
  }
  return left;
}
