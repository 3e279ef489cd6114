import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { RunPlan } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Agent, Permissions } from "../../pure/pipeline/index.ts";
import { type CasePlace, type Cases, workspaceOf } from "./cases/index.ts";
import type { PreparedGrader } from "./trial/index.ts";

/** An agent as an evaluation would start it. */
export interface Candidate {
  readonly agent: Agent;
  readonly plan: Pick<RunPlan, "permissions" | "env" | "binary" | "args">;
  /** The level that the user asked for; undefined if it is only the default. */
  readonly asked: Permissions | undefined;
  readonly home: "private" | "inherit";
  /** Why its program did not print a version; null if it did. */
  readonly problem: string | null;
  readonly isRoot: boolean;
}

/** Why this agent would fail every trial, each with a remedy, as far as that can be known without asking a model. */
export function agentProblems(candidate: Candidate): readonly string[] {
  const { agent, plan, problem } = candidate;
  const { title, install, needs = {} } = agent;
  const problems: string[] = [];
  if (problem !== null) {
    const remedy = install === undefined ? "Set a different program with `binary`" : `Install it again with ${install}`;
    problems.push(`${title} does not work: ${plan.binary} cannot print its version, because ${problem.replace(/\.$/, "")}. ${remedy}.`);
  }
  if (needs.login !== undefined && !hasCredentials(candidate)) {
    const places = [...(agent.credentials ?? []), ...(agent.credentialFiles ?? []).map((file) => `~/${file}`)];
    problems.push(`${title} is not logged in: there is none of ${places.join(", ")}. ${needs.login}.`);
  }
  if (needs.level === true && candidate.asked === undefined && plan.permissions === "default") {
    const why = `${title} denies writes at its default level, because no one can approve them`;
    problems.push(`${why}. Set \`permissions\` to full, to read-only if it only has to read, or to default if its settings allow writes.`);
  }
  const { levels = [], unless: [variable, value] = ["", ""] } = needs.user ?? {};
  if (levels.includes(plan.permissions) && candidate.isRoot && plan.env[variable] !== value) {
    const remedy = `Start harness as a different user, or set ${variable}=${value} with \`env\` if this machine is a sandbox`;
    problems.push(`${title} refuses to work as root with \`permissions\` ${plan.permissions}. ${remedy}.`);
  }
  return problems;
}

/** Whether it refuses a workspace that is not a git repository. */
export function needsGit({ agent, plan }: Pick<Candidate, "agent" | "plan">): boolean {
  const { git } = agent.needs ?? {};
  return git?.levels.includes(plan.permissions) === true && !plan.args.includes(git.unless);
}

/** True unless it is certain that there are none: an unknown way to log in must not stop an evaluation. */
function hasCredentials({ agent, plan: { env }, home }: Candidate): boolean {
  const { credentials = [], credentialFiles = [], needs: { otherLogins = [], moved = {}, settings } = {} } = agent;
  if (agent.needs?.keychain === process.platform) return true;
  if ([...credentials, ...otherLogins].some((name) => isSet(name, env))) return true;
  const files = [...credentialFiles, ...(home === "inherit" && settings !== undefined ? [settings] : [])];
  const homes = [homedir(), env["HOME"] ?? homedir()];
  return files.some((file) => {
    const elsewhere = Object.entries(moved).flatMap(([variable, folder]) => {
      const place = env[variable];
      return place && file.startsWith(`${folder}/`) ? [join(place, file.slice(folder.length))] : [];
    });
    return [...homes.map((place) => join(place, file)), ...elsewhere].some((path) => existsSync(path));
  });
}

/** `*_API_KEY` is any variable that ends so. */
function isSet(name: string, env: NodeJS.ProcessEnv): boolean {
  if (!name.startsWith("*")) return Boolean(env[name]);
  return Object.entries(env).some(([each, value]) => each.endsWith(name.slice(1)) && Boolean(value));
}

/** The cases of an evaluation, and the workspace of those that name none. */
export interface Chosen {
  readonly cases: Cases;
  readonly places: readonly CasePlace[];
  readonly workspace: string | undefined;
  /** The file with the data set, if it is one. */
  readonly file: string | undefined;
  /** That file, and the directories of reference solutions. */
  readonly answers: readonly string[];
}

/** Why a workspace is not fit for an agent, one sentence per kind. */
export function workspaceProblems({ cases, places, workspace, file }: Chosen, wantGit: readonly string[]): readonly string[] {
  let outside: string | undefined;
  let exposed: string | undefined;
  for (const place of places) {
    const row = cases.read(place);
    const path = workspaceOf(row.workspace ?? workspace, cases);
    const isDirectory = path !== undefined && existsSync(path);
    // An address is a repository, and a setup command may create one.
    if ((path === undefined || (isDirectory && !existsSync(join(path, ".git")))) && row.setup === undefined) outside ??= row.id;
    if (isDirectory && file !== undefined && (row.expected ?? row.reference) !== undefined && isBelow(file, path)) exposed ??= path;
  }
  const git = wantGit.map((title) => {
    const what = `${title} refuses to work outside a git repository, and the workspace of the case ${JSON.stringify(outside)} is not one`;
    return `${what}. Set \`permissions\` to full, or let its setup run git init.`;
  });
  const answers = `${file} is in the workspace ${exposed}, so every agent gets the answers. Move the data set to a different directory.`;
  return [...(outside === undefined ? [] : git), ...(exposed === undefined ? [] : [answers])];
}

function isBelow(file: string, directory: string): boolean {
  return realpathSync(resolve(file)).startsWith(`${realpathSync(directory)}${sep}`);
}

export async function graderProblems(grader: PreparedGrader | undefined): Promise<readonly string[]> {
  const flaw = await grader?.flaw?.();
  return flaw === undefined ? [] : [`The grader ${flaw}. Correct it, and start again.`];
}

/** Nothing was started yet: every problem is listed, so that one more call is enough. */
export function rejectProblems(problems: readonly string[]): void {
  const all = [...new Set(problems)];
  if (all.length > 0) throw new HarnessError("usage", all.join("\n"), { option: "check" });
}
