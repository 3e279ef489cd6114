/** The price in cents after all coupons: { percent: 10 } or { off: 500 }, each optionally with { until: "2026-01-31" }. */
export function discounted(cents, coupons) {
  for (const { percent, off } of coupons) cents -= percent ? (cents * percent) / 100 : off;
  return cents;
}
