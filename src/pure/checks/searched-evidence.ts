import { counted } from "../base/index.ts";
import type { Evidence } from "../events/index.ts";
import type { RunEvidence } from "./evidence.ts";

/** Checks that use only the changes to the workspace. */
const FILE_CHECKS = /^(?:scope\.(?:no_ci_changes|no_new_dependencies|diff_size)|security\.|quality\.no_)/;

/**
 * Evidence for a check that found nothing to cite: everything it searched. Specification 003 requires evidence for every outcome, and a
 * finding of absence rests on the whole data. Files are named by their hashes.
 */
export function searchedEvidence({ id }: { readonly id: string }, { answer, files, watched }: RunEvidence): readonly Evidence[] {
  if (/^(?:output|style)\./.test(id)) return answer === null ? [] : [{ source: "stdout", excerpt: answer.slice(0, 200) }];
  const { patch, total = null } = files?.body ?? {};
  const { log, effects, observed = null } = watched?.body ?? {};
  const isSeen = watched !== undefined && watched.body.sources.length > 0 && !FILE_CHECKS.test(id);
  const found: readonly Evidence[] = [
    ...(files && total !== null && id !== "scope.no_network"
      ? [{ source: "fs_diff" as const, ...named(patch), excerpt: counted(total, "change"), events: [files.seq] }]
      : []),
    ...(isSeen
      ? [
          {
            source: "commands" as const,
            ...named(log),
            excerpt: observed === null ? "commands" : counted(observed, "command"),
            events: [watched.seq],
          },
        ]
      : []),
    ...(isSeen && effects?.log ? [{ source: "commands" as const, ...named(effects.log), events: [watched.seq] }] : []),
  ];
  return found.length > 0 ? found : [{ source: "events", excerpt: "the recording" }]; // for a check module
}

function named(file: { readonly path: string; readonly sha256: string } | undefined): Pick<Evidence, "path" | "sha256"> {
  return file === undefined ? {} : { path: file.path, sha256: file.sha256 };
}
