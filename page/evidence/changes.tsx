import { useState } from "preact/hooks";
import { bytes, counted, type PatchFile, type PatchLine, printable } from "../../src/pure/base/index.ts";
import type { FileChange, FilesChangedBody } from "../../src/pure/events/index.ts";
import { Download } from "../parts/index.ts";

const MOST_FILES = 400;
const FEW_LINES = 400;
const MANY_LINES = 4000;

interface Props {
  readonly changed: FilesChangedBody | undefined;
  readonly patch: readonly PatchFile[];
  readonly patchLength: number;
  /** The run whose patch the server can send. */
  readonly download: string | undefined;
}

export function Changes({ changed, patch, patchLength, download }: Props) {
  const [chosen, setChosen] = useState<number>();
  if (changed === undefined) return <p class="muted small">The files were not observed.</p>;
  const files = changed.changes.slice(0, MOST_FILES);
  const hasText = ({ path: own }: FileChange) => patch.some(({ path, lines }) => path === own && lines.length > 0);
  const file = files[chosen ?? Math.max(0, files.findIndex(hasText))];
  const total = changed.patch?.bytes ?? 0;
  return (
    <section>
      <h2>
        Changed files{" "}
        <span class="muted small">
          {changed.total === null ? "not known" : counted(changed.total, "file")}
          {changed.leftOut > 0 && `, ${changed.leftOut} not in the patch`}
          {(changed.unseen ?? 0) > 0 && `, ${changed.unseen} entries could not be read`}
        </span>
      </h2>
      {changed.problem !== undefined && <p class="problem error">{printable(changed.problem)}</p>}
      {file === undefined ? (
        changed.total === 0 && <p class="muted small">No file changed.</p>
      ) : (
        <div class="diff-viewer">
          <ul class="plain files">
            {files.map((each, i) => {
              const own = patch.find(({ path }) => path === each.path);
              return (
                <li key={i}>
                  <button type="button" aria-pressed={each === file} onClick={() => setChosen(i)} title={printable(each.path)}>
                    <span class={`kind kind-${each.kind}`}>{each.kind}</span>
                    <span class="path">{printable(each.path)}</span>
                    {own !== undefined && (
                      <span class="mono small counts">
                        +{countOf(own, "+")} −{countOf(own, "-")}
                      </span>
                    )}
                  </button>
                </li>
              );
            })}
          </ul>
          <FileDiff key={file.path} change={file} file={patch.find(({ path }) => path === file.path)} />
        </div>
      )}
      {(changed.total ?? 0) > files.length && <p class="muted small">The first {files.length} are shown.</p>}
      {total > patchLength * 4 && <p class="muted small">Only the start of the patch is shown.</p>}
      {download !== undefined && changed.patch !== undefined && (
        <p class="small">
          <Download path={`/api/runs/${encodeURIComponent(download)}/patch`} name={`${download}.patch`}>
            fs_diff.patch
          </Download>{" "}
          <span class="muted">{bytes(changed.patch.bytes)}</span>
        </p>
      )}
    </section>
  );
}

function FileDiff({ change, file }: { readonly change: FileChange; readonly file: PatchFile | undefined }) {
  const [most, setMost] = useState(FEW_LINES);
  return (
    <div class="file-diff">
      <h3 class="mono">
        {printable(change.path)}
        {change.was !== undefined && <span class="muted"> was {printable(change.was)}</span>}
      </h3>
      {file === undefined || file.lines.length === 0 ? (
        <p class="muted small">The patch has no text for this change: the file is binary or too large, or only its name or mode changed.</p>
      ) : (
        <pre class="diff numbered" tabIndex={0}>
          {file.lines.slice(0, most).map((line, i) => (
            <div key={i} class={classes[line.sign]}>
              <span class="number">{numberOf(line, line.before)}</span>
              <span class="number">{numberOf(line, line.after)}</span>
              <span class="sign">{line.sign === "@" ? " " : line.sign}</span>
              {printable(line.text)}
            </div>
          ))}
        </pre>
      )}
      {file !== undefined && file.lines.length > most && (
        <button type="button" class="link" onClick={() => setMost(most + MANY_LINES)}>
          Show more of {counted(file.lines.length, "line")}
        </button>
      )}
    </div>
  );
}

const classes = { " ": "same", "+": "added", "-": "removed", "@": "hunk" } as const;

function numberOf({ sign }: PatchLine, number: number): string {
  return sign === "@" || number === 0 ? "" : String(number);
}

function countOf({ lines }: PatchFile, sign: PatchLine["sign"]): number {
  return lines.reduce((count, line) => count + Number(line.sign === sign), 0);
}
