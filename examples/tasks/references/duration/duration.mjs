const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** "1h30m" in milliseconds: units from the largest to the smallest, each at most once. */
export function parseDuration(text) {
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (parts === null || text === "") throw new SyntaxError(`${JSON.stringify(text)} is not a duration.`);
  return Object.values(UNITS).reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}
