import { useEffect, useState } from "preact/hooks";
import { bytes, whole } from "../../src/pure/base/index.ts";
import { LongText, moment } from "../parts/index.ts";
import { hrefOf } from "../router.ts";
import type { PageEvent, RunSource } from "../source/index.ts";
import type { Columns } from "./columns.ts";
import { rawText } from "./event-body.tsx";

interface Props {
  readonly run: string;
  readonly source: RunSource;
  readonly seq: number;
  readonly columns: Columns;
  readonly close: () => void;
  readonly go: (seq: number) => void;
}

interface Raw {
  readonly where: string;
  readonly text: string;
}

/** The event as `derive` prints it, and the raw bytes it came from. */
export function Inspector({ run, source, seq, columns, close, go }: Props) {
  const [event, setEvent] = useState<PageEvent>();
  const [raw, setRaw] = useState<readonly Raw[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let stopped = false;
    setEvent(undefined);
    setRaw(undefined);
    setError(undefined);
    const load = async () => {
      const found = await source.event(seq);
      if (stopped) return;
      setEvent(found);
      const texts: Raw[] = [];
      for (const ref of found.from.slice(0, 20)) {
        texts.push({ where: `${ref.stream}, byte ${whole(ref.offset)}, ${bytes(ref.length)}`, text: await source.raw(ref) });
      }
      if (!stopped) setRaw(texts);
    };
    load().catch((problem: unknown) => stopped || setError(problem instanceof Error ? problem.message : String(problem)));
    return () => {
      stopped = true;
    };
  }, [source, seq]);
  const link = columns.link[seq - 1] || columns.endOf[seq - 1] || 0;
  return (
    <aside class="inspector" aria-label={`Event ${seq}`}>
      <header>
        <h2>
          Event {seq} <span class="muted">{event?.type}</span>
        </h2>
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      {error !== undefined && <p class="problem error">{error}</p>}
      {event !== undefined && (
        <>
          <p class="muted small">
            {moment(event.at)} · {event.provenance} · <a href={hrefOf("runs", run, seq)}>link to this event</a>
            {link > 0 && (
              <>
                {" · "}
                <button type="button" class="link" onClick={() => go(link)}>
                  {(columns.link[seq - 1] ?? 0) > 0 ? "its start" : "its end"}
                </button>
              </>
            )}
          </p>
          <LongText text={rawText(withoutEnvelope(event), 2)} label="As derive prints it" />
          {raw?.length === 0 && (
            <p class="muted">
              No output line of the agent:{" "}
              {event.provenance === "derived" ? "harness derived this event" : "harness recorded this event itself"}.
            </p>
          )}
          {raw?.map(({ where, text }) => (
            <LongText key={where} text={text} label={`Raw bytes: ${where}`} />
          ))}
        </>
      )}
    </aside>
  );
}

function withoutEnvelope({ from: _1, clipped: _2, said: _3, ...rest }: PageEvent & { readonly said?: unknown }): object {
  return rest;
}
