import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readScenario } from "../../../src/work/observe/read-scenario.ts";
import { promptOf } from "../../../src/work/observe/scenario.ts";
import { cleanUpFolders, folder } from "./support.ts";

afterAll(cleanUpFolders);

function read(name: string, text: string) {
  const file = join(folder(), name);
  writeFileSync(file, text);
  return readScenario(file);
}

const MARKDOWN = `# Fix the login

## Objective
See whether it keeps to the rules.

## User Request
Fix the login.

\`\`\`
# no heading
\`\`\`

## Explicit Constraints
- output.json_only
- \`style.no_emojis\`: No smileys, please.
- Keep the names of the
  functions.

## Prohibited Actions
1. Push to the remote.

## Success Criteria
- [ ] The tests pass.
`;

const YAML = `id: fix-the-login
objective: See whether it keeps to the rules.
request: Fix the login.
constraints:
  - output.json_only
  - id: quality.tests_required
    command: npm test
  - { id: custom.names, rule: Keep the names. }
prohibited: [Push to the remote.]
success: [The tests pass.]
`;

describe("scenarios", () => {
  test("Markdown", () => {
    const scenario = read("login.md", MARKDOWN);
    expect(scenario).toMatchObject({
      id: "login",
      objective: "See whether it keeps to the rules.",
      request: "Fix the login.\n\n```\n# no heading\n```",
    });
    expect(scenario.constraints).toEqual([
      { id: "output.json_only", type: "output", rule: "Answer with JSON and nothing else." },
      { id: "style.no_emojis", type: "style", rule: "No smileys, please." },
      { id: "custom.3", type: "custom", rule: "Keep the names of the functions." },
      { id: "prohibited.1", type: "prohibited", rule: "Push to the remote." },
      { id: "success.1", type: "success", rule: "The tests pass." },
    ]);
    expect(promptOf(scenario)).toContain("Do not:\n- Push to the remote.");
    expect(promptOf(scenario)).not.toContain("The tests pass.");
  });

  test("YAML", () => {
    const scenario = read("any.yaml", YAML);
    expect(scenario).toMatchObject({ id: "fix-the-login", request: "Fix the login." });
    expect(scenario.constraints.map(({ id, options }) => [id, options])).toEqual([
      ["output.json_only", undefined],
      ["quality.tests_required", { command: "npm test" }],
      ["custom.names", undefined],
      ["prohibited.1", undefined],
      ["success.1", undefined],
    ]);
  });

  test.each([
    ["s.md", "# Title\n\n## Request\nx\n", /s\.md:3: "Request" is not a section of a scenario\. Its sections are Objective, User Request/],
    ["s.md", "## Objective\nx\n", /s\.md:1: the section "## User Request" is missing\. Write/],
    ["s.md", "## User Request\n\n## Objective\nx\n", /s\.md:1: "User Request" is empty\. Write/],
    ["s.md", "## User Request\nx\n## User Request\ny\n", /s\.md:3: "User Request" appears twice\. Put both/],
    ["s.md", "## User Request\nx\n\n## Explicit Constraints\njson\n", /s\.md:5: "Explicit Constraints" is a list\. Start each item/],
    ["s.md", "## User Request\nx\n## Explicit Constraints\n- output.json_ony\n", /s\.md:4: .*Did you mean output\.json_only/],
    ["s.md", "## User Request\nx\n## Explicit Constraints\n- custom.mine\n", /s\.md:4: "custom\.mine" has no rule\. Write/],
    [
      "s.md",
      "## User Request\nx\n## Explicit Constraints\n- style.no_emojis\n- style.no_emojis\n",
      /s\.md:5: "style\.no_emojis" appears twice/,
    ],
    ["s.yaml", "id: a\n", /s\.yaml:1: the scenario needs the key "request"/],
    ["s.yaml", "id: a b\nrequest: x\n", /s\.yaml:1: id must consist of letters, digits/],
    ["s.yaml", "request: x\nconstraint: []\n", /s\.yaml:2: constraint is not a key of a scenario\. Its keys are id, objective/],
    [
      "s.yaml",
      "request: x\nconstraints:\n  - style.no_emojis\n  - output.jsn_only\n",
      /s\.yaml:4: constraints\[1\] is unknown: .*Did you mean output\.json_only/,
    ],
    ["s.yaml", "request: x\nconstraints:\n  - No emojis.\n", /s\.yaml:3: constraints\[0\] must be the id of a constraint.*custom\.name/],
    ["s.yaml", "request: x\nconstraints: [{rule: x}]\n", /s\.yaml:2: constraints\[0\] needs the key "id"/],
    ["s.yaml", "request: x\nconstraints: [style.no_emojis, style.no_emojis]\n", /s\.yaml:2: constraints\[1\] appears twice/],
    ["s.yaml", "request: x\nconstraints:\n  - scope.only_paths\n", /s\.yaml:3: constraints\[0\] needs paths: a list/],
    ["s.yaml", "request: x\nconstraints: [{ id: custom.a }]\n", /s\.yaml:2: constraints\[0\] has no rule\. Write { id: custom\.a, rule/],
    [
      "s.yaml",
      "request: x\nconstraints:\n  - id: scope.diff_size\n    files: 3\n    line: 200\n",
      /s\.yaml:5: constraints\[0\]\.line is not an option of scope\.diff_size; it has files, lines/,
    ],
    ["s.yaml", "request: x\nconstraints: [{ id: scope.diff_size, files: 3, lines: few }]\n", /s\.yaml:2: .*needs files or lines: a number/],
    ["s.yaml", "request: ''\n", /s\.yaml:1: request is empty\. Fill/],
    ["s.yaml", "request: [x\n", /s\.yaml:\d: not YAML/],
    ["s.txt", "x", /must end in \.md, \.yaml/],
  ])("an invalid %s names its line: %j", (name, text, message) => {
    expect(() => read(name, text)).toThrow(message);
  });

  test("a missing scenario, or a directory", () => {
    expect(() => readScenario("/does/not/exist.md")).toThrow(/: there is no such file\.$/);
    expect(() => readScenario(folder())).toThrow(/is not a file\.$/);
  });
});
