/** "2024-01-15" and 1 is "2024-02-15". */
export function addMonths(day, count) {
  const date = new Date(day);
  date.setMonth(date.getMonth() + count);
  return date.toISOString().slice(0, 10);
}
