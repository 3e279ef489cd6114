import { dirname } from "node:path";
import { findAgent } from "../../pure/agents/index.ts";
import { inQuotes, shellLine } from "../../pure/base/index.ts";
import { pins } from "./agents/index.ts";
import type { Pin } from "./pin.ts";

/** Which pin stands for an agent, in the order of the guide. */
const GUIDED = ["claude", "codex", "goose", "pi", "opencode", "kilo", "cline", "gemini", "native"];

/** Variables that would lead an agent away from the home we give it. */
const ELSEWHERE = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CODEX_HOME"];

/** Shell commands that start each agent on a model at this address, in a new home, so that no settings of the user are read or changed. */
export function modelGuide(url: string, prompt: string): string {
  const blocks = GUIDED.flatMap((id) => {
    const pin = pins.get(id);
    return pin === undefined ? [] : [blockOf(id, pin, url, prompt)];
  });
  return `${blocks.join("\n")}\n`;
}

function blockOf(id: string, pin: Pin, url: string, prompt: string): string {
  const agent = findAgent(id);
  if (pin.isInside) {
    const line = shellLine([
      "harness",
      "run",
      "--agent",
      id,
      "--prompt",
      prompt,
      ...(pin.model === undefined ? [] : ["--model", pin.model]),
    ]);
    return [`# ${agent.title}`, `${assignments(pin.environment(url))} ${line}`].join("\n");
  }
  // Without it, Codex does not run outside a Git repository.
  const extraArgs = [...pin.args(url), ...(id === "codex" ? ["--skip-git-repo-check"] : [])];
  const { args, stdin, env = {} } = agent.command({ prompt, extraArgs, ...(pin.model === undefined ? {} : { model: pin.model }) });
  const variables = assignments({ ...env, ...pin.environment(url) });
  const input = stdin === undefined ? "" : `printf %s ${inQuotes(stdin)} | `;
  const from = stdin === undefined ? " < /dev/null" : "";
  const program = shellLine([pin.program ?? agent.binaries[0] ?? id, ...args]);
  const unset = ELSEWHERE.map((name) => `-u ${name}`).join(" ");
  return [
    `# ${agent.title}`,
    "NEW_HOME=$(mktemp -d)",
    ...Object.entries(pin.files(url)).map(([name, content]) => fileLine(name, content)),
    `${input}env ${unset} HOME="$NEW_HOME" ${variables} ${program}${from}`,
  ].join("\n");
}

function assignments(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${shellLine([value])}`)
    .join(" ");
}

function fileLine(name: string, content: string | object): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return `mkdir -p "$NEW_HOME"/${shellLine([dirname(name)])} && printf %s ${inQuotes(text)} > "$NEW_HOME"/${shellLine([name])}`;
}
