/** The standard normal distribution. */

/** P(Z ≤ z), accurate to 1e-12: a series in the middle, the continued fraction of the complementary error function in the tails. */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  const tail = upperTail(Math.abs(z));
  return z > 0 ? 1 - tail : tail;
}

function upperTail(z: number): number {
  if (z > 38) return 0;
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    // Φ(z) − ½ = φ(z) · (z + z³/3 + z⁵/15 + …)
    let term = z;
    let sum = z;
    for (let n = 3; term > 1e-17 * sum && n < 400; n += 2) {
      term *= (z * z) / n;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let n = 60; n >= 1; n--) fraction = z + n / fraction;
  return density / fraction;
}

/** The z with P(Z ≤ z) = p: Acklam's rational approximation, refined by two steps of Halley's method. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  if (p > 0.5) return -normalQuantile(1 - p);
  let z = start(p);
  for (let step = 0; step < 2; step++) {
    const error = normalCdf(z) - p;
    const slope = error * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2);
    z -= slope / (1 + (z * slope) / 2);
  }
  return z;
}

const MIDDLE = {
  above: [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239],
  below: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
};
const TAIL = {
  above: [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783],
  below: [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
};

function start(p: number): number {
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(TAIL.above, q) / polynomial(TAIL.below, q);
  }
  const q = p - 0.5;
  return (polynomial(MIDDLE.above, q * q) * q) / polynomial(MIDDLE.below, q * q);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
