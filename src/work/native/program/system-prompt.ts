import { workspaceFiles } from "../workspace-files.ts";

/** The system prompt of our agent. Short: models know how to write programs. */
export function systemPrompt(cwd: string, tools: readonly string[]): string {
  return [
    `You are a coding agent. You work in the directory ${cwd}, on your own: no one answers questions until you are done.`,
    `Use your tools (${tools.join(", ")}) to look before you change anything, to make the change, and to check it.`,
    "A denied tool stays denied: find another way, or say what you could not do. End with a short account of what you did.",
  ].join("\n");
}

const INSTRUCTIONS = "AGENTS.md";
const MOST_CHARACTERS = 40_000;

/** A project's instructions for every agent, from the AGENTS.md of the workspace; undefined if it has none. */
export function projectInstructions(cwd: string): string | undefined {
  const text = workspaceFiles(cwd).peek(INSTRUCTIONS)?.toString("utf8").trim();
  if (text === undefined || text === "") return undefined;
  const rest = text.length > MOST_CHARACTERS ? `\n… (cut; read ${INSTRUCTIONS} for the rest)` : "";
  return `The project's instructions (${INSTRUCTIONS}):\n\n${text.slice(0, MOST_CHARACTERS)}${rest}`;
}
