import type { FileChange, LookedUp } from "../../events/index.ts";
import type { Account, DeclaredCall } from "./account.ts";
import { type Findings, NO_REPORTS, side } from "./finding.ts";
import { isOwn, nameOf, placeOf, shows, touches } from "./places.ts";
import type { Finding, TruthRule, Unobservable } from "./schema.ts";
import { changedAt } from "./times.ts";

const TRACE: TruthRule = "write-without-trace";
const REPORT: TruthRule = "change-without-report";

/** The clocks of lines and files may differ slightly. */
const SLACK_MS = 1_000;

interface Write {
  readonly place: string;
  readonly call: DeclaredCall;
  readonly success: boolean | undefined;
}

/** Compares reported writes with changes on disk, in both directions. */
export function compareWrites(account: Account): Findings {
  const { files } = account;
  if (files === undefined || files.body.total === null) {
    const reason = "what changed in the workspace was not observed";
    const claims = [...new Set(account.calls.flatMap(({ operations }) => operations.flatMap(writtenPath)))].map((path) => `wrote ${path}`);
    const unobservable = claims.length === 0 ? [{ rule: TRACE, reason }] : claims.map((claim) => ({ rule: TRACE, reason, claim }));
    return { findings: [], unobservable: [...unobservable, { rule: REPORT, reason }] };
  }
  const writes = writesOf(account);
  const changes = files.body.changes;
  const isWhole = changes.length >= files.body.total && files.body.unseen === 0;
  const gaps: Unobservable[] = isWhole ? [] : [{ rule: REPORT, reason: "not every change is known", claim: "every change is reported" }];
  const traces = tracesOf(account, writes, changes, isWhole);
  const reports = reportsOf(account, writes, changes);
  return { findings: [...traces.findings, ...reports.findings], unobservable: [...gaps, ...traces.unobservable, ...reports.unobservable] };
}

function writtenPath({ operation, success }: DeclaredCall["operations"][number]): readonly string[] {
  return operation.kind === "write" && success === true ? [operation.path] : [];
}

function writesOf({ calls, roots }: Account): readonly Write[] {
  return calls.flatMap((call) =>
    call.operations.flatMap(({ operation, success }) => {
      const place = operation.kind === "write" ? placeOf(operation.path, roots) : undefined;
      return typeof place === "string" ? [{ place, call, success }] : [];
    }),
  );
}

/** Writes that were reported as done but left no trace. */
function tracesOf(account: Account, writes: readonly Write[], changes: readonly FileChange[], isWhole: boolean): Findings {
  const findings: Finding[] = [];
  const unobservable: Unobservable[] = outsideOf(account);
  const states = new Map<string, LookedUp["state"]>((account.files?.body.lookedUp ?? []).map(({ path, state }) => [path, state]));
  const judged = new Set<string>();
  for (const { place, call, success } of writes) {
    if (success !== true || judged.has(place)) continue;
    judged.add(place);
    if (changes.some((change) => shows(change, place))) continue;
    const state = states.get(place);
    if (state === "rewritten") continue;
    if (state === undefined || !isWhole) {
      const reason = isWhole ? "rewriting a file with the same contents leaves no trace" : "not every change is known";
      unobservable.push({ rule: TRACE, reason, claim: `wrote ${place}` });
      continue;
    }
    if (state === "absent" && mayBeUndone(place, call, account)) {
      unobservable.push({ rule: TRACE, reason: "a later command may have removed the file", claim: `wrote ${place}` });
      continue;
    }
    findings.push({
      rule: TRACE,
      message: `The agent reported that it wrote ${place}, but ${state === "absent" ? "there is no such file" : "that file was not touched"}.`,
      declared: side(`${call.tool}: ${place}`, call.events),
      observed: side(state === "absent" ? `${place}: absent` : `${place}: untouched`, [account.files?.seq ?? 0]),
    });
  }
  return { findings, unobservable };
}

/** Writes outside the workspace are seen only by a trace, which lists the first ones in the recording. */
function outsideOf({ calls, roots, watched }: Account): Unobservable[] {
  const seen = new Set((watched?.body.effects?.first ?? []).flatMap(({ kind, target }) => (kind === "write" ? [target] : [])));
  const claimed = calls.flatMap(({ operations, isOpaque }) =>
    operations.flatMap(writtenPath).filter((path) => !isOpaque && typeof placeOf(path, roots) !== "string" && !seen.has(path)),
  );
  return [...new Set(claimed)].map((path) => ({ rule: TRACE, reason: "it is outside the workspace", claim: `wrote ${path}` }));
}

const UNDOES =
  /\b(?:rm|mv|clean|find|rsync|unlink|rimraf|trash)\b|\bgit\b.*\b(?:checkout|restore|reset|stash|rm|mv|switch|revert|merge|rebase|pull|apply)\b/;

/** Whether a command during or after the write may have removed the file or restored an old one. */
function mayBeUndone(place: string, { events }: DeclaredCall, { calls }: Account): boolean {
  const name = nameOf(place);
  return calls.some(
    (call) =>
      call.isOpaque &&
      (call.events[0] ?? 0) >= (events[0] ?? 0) &&
      (call.operations.length === 0 ||
        call.operations.some(
          ({ operation }) => operation.kind === "command" && (operation.command.includes(name) || UNDOES.test(operation.command)),
        )),
  );
}

/** Changes without a reported cause: no write, no command that names the file, and no command that could have made it at that time. */
function reportsOf(account: Account, writes: readonly Write[], changes: readonly FileChange[]): Findings {
  if (!account.reports) return { findings: [], unobservable: [{ rule: REPORT, reason: NO_REPORTS }] };
  const findings: Finding[] = [];
  const opaque = account.calls.filter(({ isOpaque }) => isOpaque);
  const texts = account.calls.flatMap(({ operations }) =>
    operations.flatMap(({ operation }) => (operation.kind === "command" ? [operation.command] : [])),
  );
  const unobservable: Unobservable[] = [];
  let attributed = 0;
  for (const change of changes) {
    const { path, was, kind } = change;
    const at = account.files === undefined ? undefined : changedAt(change, account.files.body);
    const isFolder = changes.some((other) => other.path.startsWith(`${path}/`));
    if (kind === "unknown" || isFolder || isOwn(path)) continue;
    if (writes.some(({ place }) => touches(path, place) || (was !== undefined && touches(was, place)))) continue;
    if (kind === "added" && writes.some((write) => mayHaveMoved(write, change, changes))) continue;
    const names = [nameOf(path), ...(was === undefined ? [] : [nameOf(was)])].filter((name) => name.length > 2);
    if (texts.some((text) => names.some((name) => text.includes(name)))) continue;
    const possible = opaque.filter((call) => couldHaveMade(call, kind, at));
    if (possible.length > 0) {
      const isExplained = (kind !== "deleted" && kind !== "renamed") || possible.some((call) => mayRemove(call, path));
      if (isExplained) attributed++;
      else
        unobservable.push({
          rule: REPORT,
          reason: "no reported command removes or renames files",
          claim: `every change is reported: ${path} was ${kind}`,
        });
      continue;
    }
    const when = at === undefined || at === 0 || kind === "deleted" ? "" : `, last written at ${timeOf(at)}`;
    findings.push({
      rule: REPORT,
      message: `${path} was ${kind === "renamed" ? `renamed from ${was}` : kind}, but nothing in the agent's report explains it.`,
      declared: side(opaque.length === 0 ? "no command, and no write to it" : "no write to it, and no command at that time", []),
      observed: side(`${path}: ${kind}${when}`, [account.files?.seq ?? 0]),
    });
  }
  const reason = `${attributed} changes may come from commands with unknown effects`;
  return { findings, unobservable: [...unobservable, ...(attributed === 0 ? [] : [{ rule: REPORT, reason }])] };
}

/** A folder above the file, a command that removes or restores files, or one that we cannot read. */
function mayRemove({ operations }: DeclaredCall, path: string): boolean {
  const folders = path
    .split("/")
    .slice(0, -1)
    .filter((name) => name.length > 1);
  return (
    operations.length === 0 ||
    operations.some(
      ({ operation }) =>
        operation.kind === "command" && (UNDOES.test(operation.command) || folders.some((name) => operation.command.includes(name))),
    )
  );
}

/** When Codex changes and renames a file, it reports only the old name; after large changes the file is not recognised as renamed. */
function mayHaveMoved({ place, call, success }: Write, change: FileChange, changes: readonly FileChange[]): boolean {
  const isGone = changes.some(({ path, kind }) => kind === "deleted" && path === place);
  return isGone && success !== false && change.mtime !== undefined && couldHaveMade(call, change.kind, change.mtime);
}

/**
 * Whether the file was last written during the call. A background call may add files until the end of the run; changes to existing files
 * are attributed to it only while the call itself lasts.
 */
function couldHaveMade({ from, to, isBackground }: DeclaredCall, kind: FileChange["kind"], at: number | undefined): boolean {
  if (at === undefined || at === 0) return true;
  if (kind === "deleted") return at >= from - SLACK_MS; // its folder may have changed again since
  const end = isBackground && kind === "added" ? Number.POSITIVE_INFINITY : to + SLACK_MS;
  return at >= from - SLACK_MS && at <= end;
}

/** A file's time may be any number, also one that no date has. */
function timeOf(ms: number): string {
  const date = new Date(Math.round(ms));
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
