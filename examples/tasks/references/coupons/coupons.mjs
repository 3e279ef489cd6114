/** The price in cents after all coupons that are valid on that day: percentages first, then amounts, never below zero. */
export function discounted(cents, coupons, day) {
  const valid = coupons.filter(({ until }) => until === undefined || day <= until);
  const percents = valid.flatMap(({ percent }) => percent ?? []);
  const reduced = percents.reduce((price, percent) => price - Math.round((price * percent) / 100), cents);
  return Math.max(
    0,
    valid.reduce((price, { off = 0 }) => price - off, reduced),
  );
}
