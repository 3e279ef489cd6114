/** The stock after an order: { apples: 3 } minus { apples: 2 }. */
export function reserve(stock, order) {
  for (const [name, count] of Object.entries(order)) stock[name] -= count;
  return stock;
}
