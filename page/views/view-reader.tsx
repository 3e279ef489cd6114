import { bytes, whole } from "../../src/pure/base/index.ts";
import type { View } from "../../src/pure/pipeline/index.ts";
import { Download, LongText, save } from "../parts/index.ts";
import { exported, type RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";
import { evaluatedOf } from "./evaluated-of.ts";
import { useViewPages } from "./use-view-pages.ts";

interface Props {
  readonly run: string;
  readonly view: View;
  readonly source: RunSource;
  readonly state: TimelineState;
}

export function ViewReader({ run, view, source, state }: Props) {
  const read = useViewPages(view, source, evaluatedOf(state.page.about, run), state);
  const { pages, shown, text, isReading, isWhole } = read;
  const page = pages[shown];
  const name = `${run}.${view.id}.${view.text === undefined ? "jsonl" : "md"}`;
  const isOne = isWhole && pages.length === 1;
  const all = state.log.count;
  return (
    <>
      {page !== undefined && (
        <p class="line">
          {isOne || exported() !== undefined ? (
            <button
              type="button"
              class="button"
              onClick={() =>
                save(
                  name,
                  new Blob(
                    pages.map((each) => each.text),
                    { type: "text/plain" },
                  ),
                )
              }
            >
              Download {bytes(pages.reduce((sum, each) => sum + each.text.size, 0))}
            </button>
          ) : (
            <Download class="button" path={`/api/runs/${encodeURIComponent(run)}/views/${view.id}`} name={name}>
              Download all
            </Download>
          )}
          {!isOne && (
            <>
              <button type="button" class="button" disabled={isReading || shown === 0} onClick={() => read.go(shown - 1)}>
                Previous part
              </button>
              <button
                type="button"
                class="button"
                disabled={isReading || (read.seen >= all && shown === pages.length - 1)}
                onClick={() => read.go(shown + 1)}
              >
                Next part
              </button>
              <span class="muted small">
                events {whole(page.first)} to {whole(page.last)} of {whole(all)}
                {!state.log.done && " so far"}
              </span>
            </>
          )}
        </p>
      )}
      {read.error !== undefined && (
        <p class="problem error" role="alert">
          {read.error}
        </p>
      )}
      {isReading || page === undefined ? (
        <p class="muted" aria-live="polite">
          {read.error === undefined && `Deriving: ${whole(read.seen)} of ${whole(all)} events …`}
        </p>
      ) : (
        <LongText key={shown} text={text === "" ? "This view has no output for these events." : text} />
      )}
    </>
  );
}
