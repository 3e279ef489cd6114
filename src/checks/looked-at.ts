import type { Evidence } from "../core/observation.ts";
import type { RunEvidence } from "./evidence.ts";

type Source = "answer" | "files" | "commands";

/** Where each check looks. One that is not here may look at everything. */
const SOURCES: ReadonlyMap<string, readonly Source[]> = new Map<string, readonly Source[]>([
  ["output.json_only", ["answer"]],
  ["style.no_emojis", ["answer"]],
  ["quality.tests_required", ["commands", "files"]],
  ["quality.command_passed", ["commands"]],
  ["scope.no_network", ["commands"]],
  ["scope.only_paths", ["files", "commands"]],
  ...["scope.no_ci_changes", "scope.no_new_dependencies", "scope.diff_size"].map((id) => [id, ["files"]] as const),
  ...["quality.no_deleted_tests", "quality.no_weakened_tests", "security.no_secrets"].map((id) => [id, ["files"]] as const),
]);
const ALL: readonly Source[] = ["answer", "files", "commands"];

/** What a verdict rests on that has found nothing: that something is absent is shown by what was searched. */
export function lookedAt(id: string, run: RunEvidence): readonly Evidence[] {
  const found = (SOURCES.get(id) ?? ALL).flatMap((source) => evidenceOf(source, run));
  return found.length > 0 ? found : [{ source: "events", excerpt: "the recording" }];
}

function evidenceOf(source: Source, { answer, files, watched }: RunEvidence): readonly Evidence[] {
  if (source === "answer") return answer === null ? [] : [{ source: "stdout", excerpt: answer }];
  if (source === "files") {
    if (files === undefined) return [];
    const { patch, total } = files.body;
    return [{ source: "fs_diff", ...fileOf(patch), excerpt: `changed paths: ${total ?? "unknown"}`, events: [files.seq] }];
  }
  if (watched === undefined || watched.body.sources.length === 0) return [];
  const { log, observed } = watched.body;
  return [{ source: "commands", ...fileOf(log), excerpt: `commands seen: ${observed ?? "unknown"}`, events: [watched.seq] }];
}

function fileOf(file: { readonly path: string; readonly sha256: string } | undefined): Pick<Evidence, "path" | "sha256"> {
  return file === undefined ? {} : { path: file.path, sha256: file.sha256 };
}
