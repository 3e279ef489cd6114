import { knownAgent } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { type Agent, type AgentOrigin, askedFor, type Command, type Task, vouchedFor } from "../../../pure/pipeline/index.ts";
import type { AdapterSchema } from "./adapter-schema.ts";
import { schemaTranslator } from "./schema-translator.ts";

/** The agent that a declarative adapter file describes: run exactly as declared, one turn at a time. */
export function schemaAgent(schema: AdapterSchema, origin: AgentOrigin): Agent {
  const [program = ""] = schema.command;
  const agent: Agent = {
    id: idOf(schema.name),
    title: schema.name.replace(/\p{C}/gu, "?"),
    binaries: program.includes("/") ? [] : [program],
    terminal: true,
    timeoutMs: schema.timeout,
    origin,
    command: (task) => commandOf(schema, task),
    open: schemaTranslator(schema),
  };
  vouchedFor({ agent });
  return agent;
}

/**
 * The arguments in the order used by the tool that these files come from. That tool always passes its approval flags, and some files put
 * other necessary flags among them. So we pass them too, unless the user asked for the opposite.
 */
function commandOf(schema: AdapterSchema, task: Task): Command {
  const [program, ...first] = schema.command;
  const { prompt, output, autoApprove = [], cwdFlag } = schema;
  if (task.permissions === "read-only" && autoApprove.length > 0) {
    throw new HarnessError(
      "usage",
      `${schema.name} cannot be run read-only: its schema approves every call (${autoApprove.join(" ")}). Leave out \`permissions\`, or remove autoApprove from the schema.`,
      { option: "permissions" },
    );
  }
  const args = [...first];
  if (output.flag !== "") args.push(output.flag, output.value);
  args.push(...autoApprove);
  if (cwdFlag !== undefined && cwdFlag !== "" && task.cwd !== undefined) args.push(cwdFlag, task.cwd);
  const resumes = schema.sessionMode === "stream" && schema.resume !== undefined && task.resume !== undefined ? true : undefined;
  if (resumes) args.push(schema.resume?.flag ?? "", task.resume ?? "");
  args.push(...(task.extraArgs ?? []));
  const unable = ["model", "maxTurns", "maxBudgetUsd", "effort", "systemPrompt", "appendSystemPrompt", "commandLine"] as const;
  const isHonoured = task.permissions !== "read-only" && (task.permissions !== "full" || autoApprove.length > 0);
  const ignored = askedFor(task, ...unable, ...(isHonoured ? [] : (["permissions"] as const)));
  if (prompt.stdin === true) return { program, args, stdin: `${task.prompt}\n`, resumes, ignored };
  if (task.prompt.startsWith("-")) {
    throw new HarnessError(
      "usage",
      `The prompt starts with a dash, so ${schema.name} would read it as an option. Start it differently, or write "prompt": {"stdin": true} in the schema.`,
    );
  }
  return { program, args: [...args, ...(prompt.flag ? [prompt.flag] : []), task.prompt], resumes, ignored };
}

/** Turns a display name into an id, never one of the built-in ids. */
function idOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 56);
  return slug === "" ? "schema" : knownAgent(slug) === undefined ? slug : `${slug}-schema`;
}
