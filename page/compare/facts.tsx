import { compact, dollars, duration, NOT_KNOWN, percent, printable, share } from "../../src/pure/base/index.ts";
import { atLeast, totalTokens } from "../../src/pure/events/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import { moment, Status } from "../parts/index.ts";
import { hrefOf } from "../router.ts";

type Amount = readonly [
  name: string,
  of: (row: RunRow) => number | null,
  format: (value: number | null) => string,
  isPartial?: (row: RunRow) => boolean,
];

const tokensOf = ({ usage, partialUsage }: RunRow) => partialUsage?.tokens ?? usage;
const isPartial = ({ partialUsage }: RunRow) => partialUsage !== undefined;

const amounts: readonly Amount[] = [
  ["took", ({ durationMs }) => durationMs, duration],
  ["tokens", (row) => totalTokens(tokensOf(row)), compact, isPartial],
  ["input", (row) => tokensOf(row)?.input ?? null, compact, isPartial],
  ["output", (row) => tokensOf(row)?.output ?? null, compact, isPartial],
  ["read from cache", (row) => tokensOf(row)?.cacheRead ?? null, compact, isPartial],
  ["cost", ({ costUsd, partialCost }) => partialCost?.costUsd ?? costUsd, dollars, ({ partialCost }) => partialCost !== undefined],
  ["tool calls", ({ toolCalls }) => toolCalls, compact],
  ["subagents", ({ subagents }) => subagents, compact],
  ["events", ({ events }) => events, compact],
];

const texts: readonly (readonly [string, (row: RunRow) => string])[] = [
  ["agent", (row) => row.agent ?? NOT_KNOWN],
  ["model", (row) => row.model ?? NOT_KNOWN],
  ["reason", (row) => row.reason ?? NOT_KNOWN],
  ["unread", (row) => share(row.unknown, row.events)],
];

/** Outcome and usage of each run. The steps of the first two are compared below. */
export function Facts({ rows }: { readonly rows: readonly RunRow[] }) {
  const [a, b] = rows;
  const isSame = <T,>(of: (row: RunRow) => T) => rows.every((row, i) => i === 0 || of(row) === of(rows[0] as RunRow));
  /** Two runs have a difference; more runs only differ or not. */
  const change = (text: string) => rows.length === 2 && <td class="change">{text}</td>;
  return (
    <table class={`compare-facts${rows.length > 2 ? " many" : ""}`}>
      <thead>
        <tr>
          <td />
          {rows.map((row, i) => (
            <Title key={row.id} row={row} letter={String.fromCharCode(65 + i)} swap={i > 1 ? swapped(rows, i) : undefined} />
          ))}
          {rows.length === 2 && (
            <th scope="col" class="change">
              B against A
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        <tr class={isSame(({ status }) => status) ? "" : "differs"}>
          <th scope="row">outcome</th>
          {rows.map((row) => (
            <td key={row.id}>
              <Status status={row.status} />
            </td>
          ))}
          {change(isSame(({ status }) => status) ? "same" : "another")}
        </tr>
        {texts.map(([name, of]) => (
          <tr key={name} class={isSame(of) ? "" : "differs"}>
            <th scope="row">{name}</th>
            {rows.map((row) => (
              <td key={row.id}>{printable(of(row))}</td>
            ))}
            {change(isSame(of) ? "same" : "")}
          </tr>
        ))}
        {amounts.map(([name, of, format, isPart = () => false]) =>
          rows.every((row) => of(row) === null) ? null : (
            <tr key={name}>
              <th scope="row">{name}</th>
              {rows.map((row) => (
                <td key={row.id}>{atLeast(format(of(row)), of(row) !== null && isPart(row))}</td>
              ))}
              {a !== undefined && b !== undefined && change(isPart(a) || isPart(b) ? NOT_KNOWN : changeOf(of(a), of(b)))}
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** The address of this comparison with the steps of run `i` next to those of the first. */
function swapped(rows: readonly RunRow[], i: number): string {
  const ids = rows.map(({ id }) => id);
  [ids[1], ids[i]] = [ids[i] ?? "", ids[1] ?? ""];
  return hrefOf("compare", ...ids);
}

interface TitleProps {
  readonly row: RunRow;
  readonly letter: string;
  readonly swap: string | undefined;
}

function Title({ row, letter, swap }: TitleProps) {
  const title = (row.name ?? row.prompt?.split("\n").find((line) => line.trim() !== "") ?? row.id).trim();
  return (
    <th scope="col">
      <span class="letter">{letter}</span>{" "}
      <a href={hrefOf("runs", row.id)} title={row.id}>
        {printable(title.slice(0, 120))}
      </a>
      <span class="muted small"> {row.startedAt !== null && moment(row.startedAt)}</span>
      {swap !== undefined && (
        <a class="small swap" href={swap}>
          compare its steps with A
        </a>
      )}
    </th>
  );
}

/** No difference if one side is unknown. */
function changeOf(a: number | null, b: number | null): string {
  if (a === null || b === null) return NOT_KNOWN;
  if (a === b) return "same";
  return a === 0 ? "more" : `${b > a ? "+" : "−"}${percent(Math.abs(b - a) / a)}`;
}
