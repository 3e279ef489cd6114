/** Characters that are searched. */
const HEAD = 4000;
const LONGEST = 200;

/** What test runners print before anything else. */
const BANNER = /^(?:TAP version \d+|> \S+@\S+|=+ test session starts =+|RUN\s+v[\d.]+|running \d+ tests?|=== RUN\s|# Subtest)/;
const FAILURE = /^(?:not ok\b|FAIL(?:ED)?\b|--- FAIL|✗|✖|×|E {2,}\S|\w*(?:Error|Exception)\b)|\.\.\. FAILED$/;

/** The line of an output that says most: the first one, or if a failed call begins with a test runner's banner, the first failure. */
export function outputSummary(output: string, isFailed: boolean): string {
  const lines = output
    .slice(0, HEAD)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first = ""] = lines;
  const failure = isFailed && BANNER.test(first) ? lines.find((line) => FAILURE.test(line)) : undefined;
  return (failure ?? first).slice(0, LONGEST);
}
