import type { RunRow } from "../../src/timeline/run-row.ts";
import { count, dollars, duration, moment, share, totalTokens, UNKNOWN } from "../parts/amounts.ts";
import { visibleText } from "../parts/long-text.tsx";
import { Status } from "../parts/status.tsx";
import { hrefOf } from "../router.ts";

type Amount = readonly [name: string, of: (row: RunRow) => number | null, format: (value: number | null) => string];

const amounts: readonly Amount[] = [
  ["took", ({ durationMs }) => durationMs, duration],
  ["tokens", ({ usage }) => totalTokens(usage), count],
  ["input", ({ usage }) => usage?.input ?? null, count],
  ["output", ({ usage }) => usage?.output ?? null, count],
  ["read from cache", ({ usage }) => usage?.cacheRead ?? null, count],
  ["cost", ({ costUsd }) => costUsd, dollars],
  ["tool calls", ({ toolCalls }) => toolCalls, count],
  ["subagents", ({ subagents }) => subagents, count],
  ["events", ({ events }) => events, count],
];

/** How both ended, and what they took. */
export function Facts({ a, b }: { readonly a: RunRow; readonly b: RunRow }) {
  const words: readonly (readonly [string, (row: RunRow) => string])[] = [
    ["agent", (row) => row.agent ?? UNKNOWN],
    ["model", (row) => row.model ?? UNKNOWN],
    ["reason", (row) => row.reason ?? UNKNOWN],
    ["unread", (row) => share(row.unknown, row.events)],
  ];
  return (
    <table class="compare-facts">
      <thead>
        <tr>
          <td />
          <Title row={a} letter="A" />
          <Title row={b} letter="B" />
          <th scope="col" class="change">
            B against A
          </th>
        </tr>
      </thead>
      <tbody>
        <tr class={a.status === b.status ? "" : "differs"}>
          <th scope="row">outcome</th>
          <td>
            <Status status={a.status} />
          </td>
          <td>
            <Status status={b.status} />
          </td>
          <td class="change">{a.status === b.status ? "same" : "another"}</td>
        </tr>
        {words.map(([name, of]) => (
          <tr key={name} class={of(a) === of(b) ? "" : "differs"}>
            <th scope="row">{name}</th>
            <td>{visibleText(of(a))}</td>
            <td>{visibleText(of(b))}</td>
            <td class="change">{of(a) === of(b) ? "same" : ""}</td>
          </tr>
        ))}
        {amounts.map(([name, of, format]) => {
          const [one, other] = [of(a), of(b)];
          if (one === null && other === null) return null;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{format(one)}</td>
              <td>{format(other)}</td>
              <td class="change">{changeOf(one, other)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Title({ row, letter }: { readonly row: RunRow; readonly letter: string }) {
  const title = (row.name ?? row.prompt?.split("\n").find((line) => line.trim() !== "") ?? row.id).trim();
  return (
    <th scope="col">
      <span class="letter">{letter}</span>{" "}
      <a href={hrefOf("runs", row.id)} title={row.id}>
        {visibleText(title.slice(0, 120))}
      </a>
      <span class="muted small"> {row.startedAt !== null && moment(row.startedAt)}</span>
    </th>
  );
}

/** What is not known on one side has no difference. */
function changeOf(a: number | null, b: number | null): string {
  if (a === null || b === null) return UNKNOWN;
  if (a === b) return "same";
  return a === 0 ? "more" : `${b > a ? "+" : "−"}${Math.abs((100 * (b - a)) / a).toFixed(0)} %`;
}
