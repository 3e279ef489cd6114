import { useEffect, useState } from "preact/hooks";
import { compact, dollars, duration, printable, whole } from "../../src/pure/base/index.ts";
import { atLeast, totalTokens } from "../../src/pure/events/index.ts";
import type { ResultCase, ResultRun, ResultTrial } from "../../src/pure/timeline/index.ts";
import { classWords, startAdvice, type TrialClass } from "../../src/pure/verdicts/index.ts";
import { Failure, LongText } from "../parts/index.ts";
import { hrefOf } from "../router.ts";
import { askJson } from "../source/index.ts";
import { caseName } from "./matrix.tsx";

export function Case({
  id,
  version,
  labels,
  side,
}: {
  readonly id: string;
  /** Changes when the files do. */
  readonly version: string;
  readonly labels: readonly string[];
  /** The side to show first. */
  readonly side: number | undefined;
}) {
  const [state, setState] = useState<ResultCase>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const left = new AbortController();
    askJson<ResultCase>(`/api/results/${encodeURIComponent(id)}`, left.signal).then(
      (found) => left.signal.aborted || setState(found),
      (problem: unknown) => left.signal.aborted || setError(problem),
    );
    return () => left.abort();
  }, [id, version]);
  if (error !== undefined) return <Failure error={error} />;
  if (state === undefined) return <p class="waiting">Reading the case …</p>;
  const wanted = side === undefined ? undefined : labels[side];
  const shown = wanted === undefined ? state.sides : state.sides.filter(({ label }) => label === wanted);
  return (
    <section class="case-page scroller" tabIndex={0} aria-label="A case">
      <p>
        <a href={hrefOf("results")}>All cases</a>
      </p>
      <h1>{caseName(state.id)}</h1>
      <LongText text={state.input} label="Input" />
      {state.expected !== null && <LongText text={state.expected} label="Expected" />}
      {wanted !== undefined && state.sides.length > shown.length && (
        <p>
          <a href={hrefOf("results", id)}>Show all {state.sides.length} sides of this case</a>
        </p>
      )}
      {shown.map(({ label, trials }) => (
        <section key={label} class="case-side">
          <h2>{printable(label)}</h2>
          {trials.map((trial, i) => (
            <Trial key={i} trial={trial} />
          ))}
        </section>
      ))}
      {shown.length === 0 && <p class="muted">No trials yet.</p>}
      {state.left > 0 && <p class="muted">{whole(state.left)} more are in the file.</p>}
    </section>
  );
}

const tones: Readonly<Record<TrialClass, string>> = {
  passed: "good",
  failed: "bad",
  out_of_time: "bad",
  not_started: "warn",
  lost_to_provider: "warn",
  lost_to_us: "warn",
  ungraded: "none",
};

function Trial({ trial }: { readonly trial: ResultTrial }) {
  const advice = trial.startProblem === null ? undefined : startAdvice[trial.startProblem];
  return (
    <article class="trial">
      <p class="line">
        <strong>Trial {trial.number}</strong>
        <span class={`status ${tones[trial.class]}`}>{classWords[trial.class]}</span>
        {trial.score !== null && (
          <span class="small">
            score {trial.score}
            {trial.isUncounted && ", for information"}
          </span>
        )}
        <span class="muted small">
          {trial.status !== null && `${printable(trial.status)} · `}
          {duration(trial.durationMs)} · {atLeast(compact(totalTokens(trial.usage)), trial.isPartial === true)} tokens ·{" "}
          {atLeast(dollars(trial.costUsd), trial.isCostPartial === true)}
          {trial.toolErrors && " · a tool call failed"}
        </span>
        <span class="grow" />
        {trial.runs.map((run, i) => (
          <RunLink key={run.id} run={run} label={trial.runs.length === 1 ? "Timeline of the run" : `Turn ${i + 1}`} />
        ))}
        {trial.lost.map((run, i) => (
          <RunLink key={run.id} run={run} label={`Lost attempt ${i + 1}`} />
        ))}
      </p>
      {advice !== undefined && (
        <p>
          {advice.what}. {advice.remedy}
        </p>
      )}
      {trial.problem !== null && <p class="problem error">{printable(trial.problem)}</p>}
      {trial.reasoning !== null && <LongText text={trial.reasoning} label="Grader" />}
      <LongText text={trial.output === "" ? "(no answer)" : trial.output} label="Answer" />
    </article>
  );
}

function RunLink({ run, label }: { readonly run: ResultRun; readonly label: string }) {
  if (run.isThere) return <a href={hrefOf("runs", run.id)}>{label}</a>;
  return (
    <span class="muted small" title="It was recorded elsewhere, or has been deleted.">
      {label} ({printable(run.id)}) is not here
    </span>
  );
}
