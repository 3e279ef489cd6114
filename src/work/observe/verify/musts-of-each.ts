import { agents } from "../../../pure/agents/index.ts";
import { spelled } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { requiredChecks } from "../../../pure/views/index.ts";
import {
  artifactsOf,
  block,
  checksOf,
  diffOf,
  GROUPS,
  isLost,
  list,
  logOf,
  type Must,
  missing,
  of,
  quoted,
  STATUSES,
  summaryOf,
  typeIs,
  UNAVAILABLE,
} from "./must.ts";

const REASONS = ["wrappers disabled", "no wrapped binaries invoked", "permission issue", "unknown"];
/** More changed paths than any fact lists. */
const MOST_PATHS = 1000;

export const mustsOfEach: readonly Must[] = [
  of("run_started", "run_started-type", 'run_started has the action type "other"', (event) => typeIs(event, "other")),
  of("run_started", "run_started-summary", "the summary of run_started includes run id and scenario id", (event) => {
    const { run_id, session_id } = block(event, "session");
    const summary = summaryOf(event);
    return (
      (!summary.includes(spelled(run_id)) || !summary.includes(spelled(session_id))) && "the summary lacks the run's id or the scenario's"
    );
  }),
  of("run_started", "metadata", "metadata.json is referenced in run_started, or in workspace_prepared", (event, _, events) => {
    const both = [event, events[1] ?? {}].flatMap(artifactsOf);
    return !both.some(({ content_ref: ref }) => ref === "metadata.json") && "metadata.json is not referenced";
  }),

  of("workspace_prepared", "workspace_prepared-type", 'workspace_prepared has the action type "other"', (event) => typeIs(event, "other")),
  of("workspace_prepared", "workspace-root", "workspace_prepared has the workspace's root among the metadata of its artifact", (event) => {
    return (
      !artifactsOf(event).some((each) => missing(block(each, "metadata"), "root") === undefined) && "no artifact names the workspace's root"
    );
  }),

  of("agent_invoked", "agent_invoked-type", 'agent_invoked has the action type "plan" or "other"', (event) =>
    typeIs(event, "plan", "other"),
  ),
  of(
    "agent_invoked",
    "agent_invoked-summary",
    "the summary of agent_invoked says whether verbose is enabled, and cwd = workspace",
    (event, _, events) => {
      const summary = summaryOf(event);
      if (!/\bverbose (?:enabled|disabled|unknown)\b/.test(summary)) return "the summary does not say whether verbose is enabled";
      const isPrepared = block(artifactsOf(events[1] ?? {})[0] ?? {}, "metadata")["source"] !== "unknown";
      const wanted = isPrepared ? /\bcwd = workspace\b/ : /\bcwd = \S/; // a directory that was not prepared is not the workspace
      return !wanted.test(summary) && 'the summary lacks "cwd = workspace"';
    },
  ),
  of(
    "agent_invoked",
    "process-start",
    "agent_invoked has a process artifact with cwd, argv or its hash, and the time of the start",
    (event) => {
      const about = artifactsOf(event).find(({ type }) => type === "process");
      const metadata = block(about ?? {}, "metadata");
      const hasArgv =
        Array.isArray(metadata["argv"]) || spelled(metadata["argv_hash"]).startsWith("sha256:") || metadata["argv"] === "unknown";
      const isThere = missing(metadata, "cwd") === undefined && missing(metadata, "started_at") === undefined && hasArgv;
      return !isThere && "there is no process artifact with cwd, argv and the time of the start";
    },
  ),

  of("agent_completed", "agent_completed-type", 'agent_completed has the action type "other", or "blocked"', (event) =>
    typeIs(event, "other", "blocked"),
  ),
  of("agent_completed", "agent_completed-summary", "the summary of agent_completed includes exit_code and duration_ms", (event) => {
    return !/\bexit_code=\S+.*\bduration_ms=\S+/.test(summaryOf(event)) && "the summary lacks exit_code or duration_ms";
  }),
  of("agent_completed", "process-end", "agent_completed has a process artifact", (event) => {
    return !artifactsOf(event).some(({ type }) => type === "process") && "there is no process artifact";
  }),
  of("agent_completed", "no-output", "agent_completed embeds neither stdout nor stderr", (event) => {
    const blocks = [block(event, "agent_action"), ...artifactsOf(event).flatMap((each) => [each, block(each, "metadata")])];
    const isEmbedded =
      blocks.some((each) => "stdout" in each || "stderr" in each) || artifactsOf(event).some(({ type }) => type === "output");
    return (isEmbedded || block(event, "model_output")["output_raw"] !== null) && "it embeds what the agent printed";
  }),

  of("artifacts_captured", "artifacts_captured-type", 'artifacts_captured has the action type "other"', (event) => typeIs(event, "other")),
  of("artifacts_captured", "output_raw", 'model_output.output_raw is "captured_as_artifact" or null', (event) => {
    return (
      !["captured_as_artifact", null].includes(block(event, "model_output")["output_raw"] as string | null) &&
      "output_raw is something else"
    );
  }),
  of("artifacts_captured", "outputs", "stdout and stderr are among the artifacts, for Claude Code under its own names too", (event) => {
    const product = block(event, "session")["agent_id"];
    const known = Object.values<Agent>(agents).filter((agent) => agent.product === product && product !== undefined);
    const names = ["agent", ...known.map(({ id }) => id)];
    const streams = ["stdout.txt", "stderr.txt"].filter((stream) => !isLost(event, stream));
    const wanted = names.flatMap((name) => streams.map((stream) => `${name}_${stream}`));
    const lacking = wanted.find((id) => !artifactsOf(event).some((each) => each["id"] === id));
    return lacking !== undefined && `${lacking} is not among the artifacts`;
  }),
  of("artifacts_captured", "non_normative", "what the agent printed is marked as non-normative, with hash and content_ref", (event) => {
    const flawed = artifactsOf(event).find((each) => {
      const metadata = block(each, "metadata");
      return metadata["non_normative"] !== true || (each["content_ref"] === null && missing(metadata, "unavailable") !== undefined);
    });
    return flawed !== undefined && `${quoted(flawed["id"])} is not marked as non-normative, or has no content and no reason for it`;
  }),

  of("fs_diff_captured", "fs_diff_captured-type", 'fs_diff_captured has the action type "edit"', (event) => typeIs(event, "edit")),
  of("fs_diff_captured", "fs_diff.patch", "fs_diff.patch is referenced, or there is a reason why not", (event) => {
    const diff = diffOf(event);
    if (diff === undefined) return "fs_diff.patch is not among the artifacts";
    return (
      diff["content_ref"] === null &&
      missing(block(diff, "metadata"), "unavailable") !== undefined &&
      "there is no patch, and no reason for it"
    );
  }),
  of("fs_diff_captured", "changed_paths", "the changed paths are listed, bounded, with their number", (event) => {
    const { changed_paths: paths, changed_count: count } = block(diffOf(event) ?? {}, "metadata");
    if (!Array.isArray(paths) || paths.length > MOST_PATHS) return `changed_paths is not a list, or is longer than ${MOST_PATHS}`;
    return (
      count !== "unknown" &&
      (typeof count !== "number" || count < paths.length) &&
      "changed_count is missing, or less than the number of listed paths"
    );
  }),
  of("fs_diff_captured", "diff_hash", "the diff has a hash", (event) => {
    const diff = diffOf(event) ?? {};
    return block(diff, "metadata")["diff_hash"] !== diff["hash"] && "diff_hash is not the hash of the patch";
  }),
  of("fs_diff_captured", "diff-method", "the event says how the diff was made", (event) => {
    return (
      !["git_diff", "diff_ru", "other"].includes(spelled(block(diffOf(event) ?? {}, "metadata")["method"])) &&
      "method is not one of git_diff, diff_ru, other"
    );
  }),

  of("commands_observed", "commands-type", 'commands_observed has the action type "command" or "run_tests"', (event) =>
    typeIs(event, "command", "run_tests"),
  ),
  of("commands_observed", "command_logs", "commands_observed references artifacts/command_logs.jsonl", (event) => {
    return logOf(event) === undefined && "artifacts/command_logs.jsonl is not referenced";
  }),
  of("commands_observed", "wrapped-only", "commands_observed notes that only wrapped binaries are captured", (event) => {
    const isNoted = /only wrapped binaries/i.test(`${summaryOf(event)} ${spelled(block(logOf(event) ?? {}, "metadata")["note"])}`);
    return !isNoted && "the note that only wrapped binaries are captured is missing";
  }),
  of("commands_observed", "commands-metadata", "commands_observed has observed_count and categories_seen", (event) => {
    const { observed_count: count, categories_seen: seen } = block(logOf(event) ?? {}, "metadata");
    return ((typeof count !== "number" && count !== "unknown") || !Array.isArray(seen)) && "observed_count or categories_seen is missing";
  }),
  of(UNAVAILABLE, "unavailable-type", 'commands_observation_unavailable has the action type "other"', (event) => typeIs(event, "other")),
  of(UNAVAILABLE, "unavailable-why", "the summary of commands_observation_unavailable states why", (event) => {
    return (
      !REASONS.some((reason) => summaryOf(event).includes(reason)) && `the summary states none of these reasons: ${REASONS.join(", ")}`
    );
  }),
  of(
    UNAVAILABLE,
    "unavailable-tests",
    "quality.tests_required is not failed only because commands could not be observed",
    (_, __, events) => {
      const check = checksOf(events[7] ?? {}, "quality").find(({ id }) => id === "quality.tests_required");
      const isSolely = check?.["status"] === "fail" && !list(check["evidence"]).some(({ source }) => source !== "commands");
      return isSolely && "quality.tests_required is failed only because commands could not be observed";
    },
  ),

  of("evaluation_performed", "checks", "the four checks are listed, each in its group", (event) => {
    const lacking = Object.entries(requiredChecks).find(([id, group]) => !checksOf(event, group).some((check) => check["id"] === id));
    return lacking !== undefined && `${lacking[0]} is not among the checks of ${lacking[1]}`;
  }),
  of("evaluation_performed", "check-status", "every check has id, message and one of the four statuses", (event) => {
    const flawed = GROUPS.flatMap((group) => checksOf(event, group)).find(
      (check) =>
        missing(check, "id") !== undefined || missing(check, "message") !== undefined || !STATUSES.includes(spelled(check["status"])),
    );
    return flawed !== undefined && `the check ${quoted(flawed["id"])} lacks id, message or status`;
  }),
  of("evaluation_performed", "outcome-evidence", "no outcome without evidence", (event) => {
    const bare = GROUPS.flatMap((group) => checksOf(event, group)).find(
      ({ status, evidence }) => status !== "unknown" && list(evidence).length === 0,
    );
    return bare !== undefined && `the check ${quoted(bare["id"])} has an outcome and no evidence`;
  }),
  of("evaluation_performed", "status-follows", "the status of a group follows from its checks", (event) => {
    const flawed = GROUPS.find((group) => {
      const { status } = block(block(event, "evaluation"), group);
      const statuses = checksOf(event, group).map((check) => spelled(check["status"]));
      return status === "pass"
        ? !statuses.includes("pass") || statuses.includes("fail")
        : status !== "unknown" && !statuses.includes(spelled(status));
    });
    return flawed !== undefined && `evaluation.${flawed}.status does not follow from its checks`;
  }),
  of(
    "evaluation_performed",
    "violations",
    "every violation has id, severity, message and evidence, and every warning or failure is one",
    (event) => {
      for (const group of GROUPS) {
        const violations = list(block(block(event, "evaluation"), group)["violations"]);
        const flawed = violations.find(
          (each) =>
            missing(each, "id") !== undefined ||
            missing(each, "message") !== undefined ||
            !["warn", "fail"].includes(spelled(each["severity"])) ||
            list(each["evidence"]).length === 0,
        );
        if (flawed !== undefined) return `the violation ${quoted(flawed["id"])} lacks one of its fields`;
        const reported = new Set(violations.map(({ id }) => id));
        const unreported = checksOf(event, group).find(({ id, status }) => (status === "warn" || status === "fail") && !reported.has(id));
        if (unreported !== undefined) return `the check ${quoted(unreported["id"])} has no violation`;
      }
      return undefined;
    },
  ),

  of("run_finished", "run_finished-type", 'run_finished has the action type "other"', (event) => typeIs(event, "other")),
  of("run_finished", "run_finished-summary", "the summary of run_finished includes the overall statuses", (event, _, events) => {
    const lacking = GROUPS.find((group) => {
      const { status } = block(block(events[7] ?? {}, "evaluation"), group);
      return !summaryOf(event).includes(`${group}=${spelled(status)}`);
    });
    return lacking !== undefined && `the summary lacks the status of ${lacking}`;
  }),
];
