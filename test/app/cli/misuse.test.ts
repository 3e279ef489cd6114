import { afterAll, expect, test } from "vitest";
import { cleanUp, directory, file, harness } from "../../support/harness.ts";

afterAll(cleanUp);

const PROMPTS = file('{"id":"1","input":"Hello."}\n');

test.each<[args: string[], sentence: string]>([
  [["dervie"], "Unknown command: dervie. Did you mean derive?"],
  [["session"], "Unknown command: session. Did you mean sessions?"],
  [["show", "last"], 'Unknown command: show. Did you mean "harness runs show"?'],
  [["frobnicate"], 'Unknown command: frobnicate. Run "harness --help" for help.'],
  [["help", "nope"], 'Unknown command: nope. Run "harness --help" for help.'],
  [["help", "runs", "lsit"], "Unknown command: lsit. Did you mean list?"],
  [["agents", "lsit"], "Unknown command: lsit. Did you mean list?"],
  [["sessions", "shwo"], "Unknown command: shwo. Did you mean show?"],
  [["--verison"], "Unknown option --verison. Did you mean --version?"],
  [["agents", "--jsno"], "Unknown option --jsno. Did you mean --json?"],
  [["derive", "last", "--exitcode=1"], "Unknown option --exitcode. Did you mean --exit-code?"],
  [["derive", "last", "--nonsense"], 'Unknown option --nonsense. Run "harness derive --help" for help.'],
  [["capture", PROMPTS, "--schema", "x"], "Unknown option --schema. Did you mean --agent?"],
  [["capture", PROMPTS, "--nonsense", "x"], 'Unknown option --nonsense. Run "harness capture --help" for help.'],
  [["run", "--workdir", "/"], "Unknown option --workdir. Did you mean --cwd?"],
  [["capture", "--gradr", "x", PROMPTS], "Unknown option --gradr. Did you mean --grader?"],
  [["trials", PROMPTS, "--agent", "claude", "--mode=x"], "Unknown option --mode. Did you mean --model?"],
  [["adapter:check", "--jason"], "Unknown option --jason. Did you mean --json?"],
  [["derive"], "Missing argument: input. Usage: harness derive [options] <input>"],
  [["derive", "a", "b"], "Unexpected argument: b. Usage: harness derive [options] <input>"],
  [["derive", "a", "--agent"], 'Option --agent <agent> needs a value. Run "harness derive --help" for help.'],
  [["prefer", "a.jsonl"], 'Missing option: --rubric <file>. Run "harness prefer --help" for help.'],
  [["derive", "a", "--case", "upper"], "Invalid value for --case: upper. Choose one of: pascal, snake."],
  [["derive", "a", "--exit-code", "x"], "Invalid value for --exit-code: x. Pass a whole number from 0 to 255."],
  [["runs", "-n", ""], "Invalid value for --limit: (empty). Pass a whole number, 1 or more."],
  [["completion", "tcsh"], "Invalid value for <shell>: tcsh. Choose one of: bash, zsh, fish."],
  [["derive", "a", "--json", "--pretty"], "--pretty and --json cannot be combined. Remove one of them."],
  [["run", "Fix it."], 'Unexpected argument "Fix it.". Pass the prompt with --prompt, and arguments for the agent\'s CLI after --.'],
])("%j: %s", async (args, sentence) => {
  const { code, stdout, stderr } = await harness(args, { env: { XDG_DATA_HOME: directory() } });
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: `harness: ${sentence}\n` });
});
