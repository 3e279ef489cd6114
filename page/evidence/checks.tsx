import { printable } from "../../src/pure/base/index.ts";
import type { CheckBody, CheckStatus } from "../../src/pure/events/index.ts";
import { EventLinks } from "./findings.tsx";

const tones: Readonly<Record<CheckStatus, string>> = { pass: "good", warn: "warn", fail: "bad", unknown: "none" };
const order: readonly CheckStatus[] = ["fail", "warn", "pass", "unknown"];

/** Failed checks first, each with its evidence. */
export function Checks({ checks, run }: { readonly checks: readonly CheckBody[]; readonly run: string }) {
  const sorted = [...checks].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const judged = sorted.filter(({ status }) => status !== "unknown");
  const others = sorted.filter(({ status }) => status === "unknown");
  return (
    <section>
      <h2>Checks</h2>
      {checks.length === 0 && <p class="muted small">Nothing was checked.</p>}
      <ul class="plain checks">
        {judged.map((check, i) => (
          <Check key={i} check={check} run={run} />
        ))}
      </ul>
      {others.length > 0 && (
        <details open={judged.length === 0}>
          <summary>Without a verdict ({others.length})</summary>
          <ul class="plain checks">
            {others.map((check, i) => (
              <Check key={i} check={check} run={run} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Check({ check: { id, group, status, message, evidence, rule }, run }: { readonly check: CheckBody; readonly run: string }) {
  return (
    <li>
      <p class="line">
        <span class={`status ${tones[status] ?? "none"}`}>{status}</span>
        <code>{printable(id)}</code>
        <span class="muted small">{group}</span>
      </p>
      <p>{printable(message)}</p>
      {rule !== undefined && <p class="muted small">Rule: {printable(rule)}</p>}
      {evidence.map(({ source, path, line, excerpt, events }, i) => (
        <p key={i} class="proof small">
          <span class="muted">{source.replace("_", " ")}</span>
          {path !== undefined && (
            <code>
              {printable(path)}
              {line !== undefined && `:${line}`}
            </code>
          )}
          {excerpt !== undefined && <q>{printable(excerpt)}</q>}
          <EventLinks run={run} events={events ?? []} />
        </p>
      ))}
    </li>
  );
}
