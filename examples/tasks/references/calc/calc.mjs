/** The value of "1 + 2 * (3 - 4)". */
export function calculate(expression) {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const value = sum();
  if (at < tokens.length) throw new SyntaxError(`Unexpected ${tokens[at]}.`);
  return value;

  function sum() {
    let left = product();
    while (tokens[at] === "+" || tokens[at] === "-") left = tokens[at++] === "+" ? left + product() : left - product();
    return left;
  }

  function product() {
    let left = factor();
    while (tokens[at] === "*" || tokens[at] === "/") left = tokens[at++] === "*" ? left * factor() : left / factor();
    return left;
  }

  function factor() {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "(") {
      const inner = sum();
      if (tokens[at++] !== ")") throw new SyntaxError("A parenthesis is not closed.");
      return inner;
    }
    if (token === undefined || !/^\d/.test(token)) throw new SyntaxError(`Unexpected ${token ?? "end"}.`);
    return Number(token);
  }
}
