/** "2024-01-31" and 1 is "2024-02-29": the same day, or the last day of the month. */
export function addMonths(day, count) {
  const [year, month, date] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}
