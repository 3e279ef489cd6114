import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { parseResourceLimits } from "../../../host/limits/index.ts";
import { anyCommand } from "../../../pure/agents/index.ts";
import { HarnessError, parseDuration } from "../../../pure/base/index.ts";
import { gateOf } from "../compare/index.ts";
import type { EntrantEntry } from "../entrants.ts";
import type { EvaluateOptions } from "../evaluate.ts";
import type { EvaluationDefinition, SideDefinition } from "./shape.ts";

/** An evaluation file as options of `evaluate`, and what only the file says. */
export interface OpenDefinition {
  readonly options: EvaluateOptions & { readonly output: string };
  readonly reports: readonly string[];
  readonly baseline: string | undefined;
  /** Limits that the sides must keep. */
  readonly gates: readonly string[];
}

/** Reads an evaluation file. Every path in it is relative to it. Throws at a mistake, with file and line. */
export async function openDefinition(path: string): Promise<OpenDefinition> {
  const { readDefinition } = await import("./read-definition.ts"); // parsers are loaded only when a file is read
  const definition = readDefinition(path);
  const directory = dirname(resolve(path));
  const at = (name: string) => resolve(directory, name);
  const { limits = {}, where = {}, graders = [], judge, concurrency } = definition;
  const agents = definition.sides.map((side) =>
    entryOf({ ...definition.defaults, ...side, env: { ...definition.defaults?.env, ...side.env } }, definition, directory),
  );
  if (agents.length === 0) throw new HarnessError("input", `${path}: "sides" is empty. Name at least one agent.`);
  const output = at(definition.output ?? `${basename(path, extname(path))}.results.jsonl`);
  const texts = typeof graders === "string" ? [graders] : graders;
  return {
    options: {
      file: resolve(path),
      cases: at(definition.cases),
      agents,
      ...(texts.length > 0 && { grader: texts }),
      graderDirectory: directory,
      ...given("graderTimeoutMs", ms(definition.graderTimeout)),
      ...given("judge", judge),
      ...given("only", definition.only),
      where: Object.entries(where).map(([name, value]) => `${name}=${value}`),
      ...given("sample", definition.sample),
      ...given("seed", definition.seed),
      k: definition.k ?? 1,
      ...given("untilPrecise", definition.untilPrecise),
      ...given("maxK", definition.maxK),
      ...given("concurrency", typeof concurrency === "object" ? perSide(concurrency) : concurrency),
      ...given("workspace", workspaceAt(definition.workspace, directory)),
      ...given("home", definition.home),
      ...given("timeoutMs", ms(limits.timeout)),
      ...given("maxCostUsd", limits.cost),
      ...given("outOfTime", definition.outOfTime),
      ...given("retries", definition.retries),
      output,
    },
    reports: (definition.reports ?? []).map((name) => (name === "github" ? name : at(name))),
    baseline: definition.baseline ?? agents[0]?.label,
    gates: (definition.gates ?? []).map((text) => gateOf(text).text),
  };
}

function entryOf(
  side: SideDefinition,
  { limits = {}, isolation, requireIsolation }: EvaluationDefinition,
  directory: string,
): EntrantEntry {
  const {
    name,
    agent = anyCommand.id,
    args,
    env,
    systemPrompt,
    appendSystemPrompt,
    mcp,
    skills,
    files,
    without,
    isolation: own,
    ...rest
  } = side;
  const at = (path: string) => resolve(directory, path);
  const isFile = agent.includes("/") || existsSync(at(agent));
  const resources = limits.resources === undefined ? undefined : parseResourceLimits(limits.resources);
  if (limits.resources !== undefined && resources === undefined)
    throw new HarnessError("input", `"limits.resources" is not valid: ${limits.resources}. Write memory=4g,processes=200,cpu=30m.`);
  return {
    ...rest,
    agent: isFile ? at(agent) : agent,
    label: name ?? [agent, rest.model, rest.effort].filter((part) => part !== undefined).join(" "),
    ...given("extraArgs", args?.map(String)),
    ...(env && { env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value === null ? null : String(value)])) }),
    ...given("systemPrompt", promptOf(systemPrompt, directory)),
    ...given("appendSystemPrompt", promptOf(appendSystemPrompt, directory)),
    ...given(
      "mcp",
      mcp &&
        Object.entries(mcp).map(([key, server]) =>
          "url" in server
            ? { name: key, type: server.type ?? ("http" as const), url: server.url, headers: server.headers ?? {} }
            : { name: key, command: server.command, args: server.args ?? [], env: server.env ?? {} },
        ),
    ),
    ...given("skills", skills?.map(at)),
    ...given(
      "files",
      typeof files === "string"
        ? { ".": at(files) }
        : files && Object.fromEntries(Object.entries(files).map(([to, from]) => [to, at(from)])),
    ),
    ...given("without", without),
    ...given("binary", rest.binary?.includes("/") ? at(rest.binary) : rest.binary),
    ...given("command", rest.command && commandAt(rest.command, directory)),
    ...given("isolate", own ?? isolation),
    ...given("requireIsolation", requireIsolation),
    ...given("maxTurns", limits.turns),
    ...given("maxBudgetUsd", limits.budget),
    ...given("idleTimeoutMs", ms(limits.idleTimeout)),
    ...given("resourceLimits", resources),
  };
}

/** The agent starts in its workspace, so a program next to the file needs its whole path. */
function commandAt(line: string, directory: string): string {
  return line.replace(/(^|\s)(\.{1,2}\/[^\s"']*)/g, (whole, before: string, path: string) => {
    const found = join(directory, path);
    return existsSync(found) ? `${before}${/[^\w./@+-]/.test(found) ? `'${found.replaceAll("'", "'\\''")}'` : found}` : whole;
  });
}

function promptOf(prompt: SideDefinition["systemPrompt"], directory: string): string | undefined {
  if (prompt === undefined || typeof prompt === "string") return prompt;
  const path = resolve(directory, prompt.file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new HarnessError("input", `Prompt not found: ${path}.`);
  return readFileSync(path, "utf8");
}

function workspaceAt(workspace: string | undefined, directory: string): string | undefined {
  if (workspace === undefined || isAbsolute(workspace) || /^[a-z][a-z0-9+.-]*:\/\//i.test(workspace) || /^[^/]+@[^/]+:/.test(workspace))
    return workspace;
  return resolve(directory, workspace);
}

function perSide(limits: Readonly<Record<string, number>>) {
  return { total: Object.values(limits).reduce((sum, count) => sum + count, 0), perAgent: limits };
}

function ms(time: string | number | undefined): number | undefined {
  return typeof time === "string" ? parseDuration(time) : time;
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
