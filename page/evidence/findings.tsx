import { counted, printable, whole } from "../../src/pure/base/index.ts";
import type { Truth } from "../../src/pure/views/index.ts";
import { hrefOf } from "../router.ts";

const verdicts = {
  consistent: ["good", "The agent's claims match what was observed"],
  contradicted: ["bad", "The agent's claims contradict what was observed"],
  unknown: ["warn", "No contradiction found, but not everything was observed"],
} as const;

const amount = (count: number | null, what: string): string => (count === null ? `unobserved ${what}s` : counted(count, what));

export function Findings({ truth, run }: { readonly truth: Truth | undefined; readonly run: string }) {
  if (truth === undefined) {
    return (
      <section>
        <h2>Claimed and observed</h2>
        <p class="muted small">The comparison starts when the run has ended and was read completely. In a terminal:</p>
        <pre class="command" tabIndex={0}>{`harness derive ${run} --view truth`}</pre>
      </section>
    );
  }
  const [tone, label] = verdicts[truth.verdict];
  const { calls, changes, commands } = truth.compared;
  return (
    <section>
      <h2>Claimed and observed</h2>
      <p>
        <span class={`status ${tone}`}>{label}</span>{" "}
        <span class="muted small">
          {counted(calls, "call")} compared with {amount(changes, "changed file")} and {amount(commands, "command")}
        </span>
      </p>
      {truth.findings.length > 0 && (
        <div class="findings">
          <p class="findings-head" aria-hidden="true">
            <span>Claimed</span>
            <span>Observed</span>
          </p>
          {truth.findings.map((finding, i) => (
            <article key={i} class="finding">
              <h3>
                {printable(finding.message)} <code class="muted">{finding.rule}</code>
              </h3>
              <Side label="Claimed" side={finding.declared} run={run} />
              <Side label="Observed" side={finding.observed} run={run} />
            </article>
          ))}
          {truth.total > truth.findings.length && <p class="muted small">The first of {whole(truth.total)}.</p>}
        </div>
      )}
      {truth.unobservable.length > 0 && (
        <details>
          <summary>What could not be looked at ({truth.unobservable.length})</summary>
          <ul class="plain">
            {truth.unobservable.map(({ rule, reason }, i) => (
              <li key={i} class="small">
                <code>{rule}</code> {printable(reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface SideProps {
  readonly label: string;
  readonly side: { readonly text: string; readonly events: readonly number[] };
  readonly run: string;
}

function Side({ label, side: { text, events }, run }: SideProps) {
  return (
    <div class="finding-side">
      <span class="hidden">{label}: </span>
      {printable(text)} <EventLinks run={run} events={events} />
    </div>
  );
}

export function EventLinks({ run, events }: { readonly run: string; readonly events: readonly number[] }) {
  return (
    <span class="event-links small">
      {events.slice(0, 8).map((seq) => (
        <a key={seq} href={hrefOf("runs", run, seq)} title={`Event ${seq}`}>
          {seq}
        </a>
      ))}
    </span>
  );
}
