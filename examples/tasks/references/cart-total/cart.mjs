/** The price of a cart in euros: [{ price: 1.1, count: 3 }] */
export function total(items) {
  return items.reduce((sum, { price, count }) => sum + Math.round(price * 100) * count, 0) / 100;
}
