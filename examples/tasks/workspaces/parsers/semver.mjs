/** Below 0 if version a is older than b, above if it is newer, else 0. */
export function compareVersions(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
