/** Below 0 if version a is older than b, above if it is newer, else 0 (semver.org, 11). */
export function compareVersions(a, b) {
  const [left, right] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i++) if (left.numbers[i] !== right.numbers[i]) return left.numbers[i] - right.numbers[i];
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  for (let i = 0; i < Math.max(left.pre.length, right.pre.length); i++) {
    const order = compareParts(left.pre[i], right.pre[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function parse(version) {
  const [core, ...pre] = version.split("+")[0].split("-");
  return { numbers: core.split(".").map(Number), pre: pre.length === 0 ? [] : pre.join("-").split(".") };
}

function compareParts(a, b) {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return Number(a) - Number(b);
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
