import { counted, notes } from "../../base/index.ts";
import type { Refs } from "../refs.ts";
import { verdict as mark, type Row, refsNote, row, type Terminal } from "../row.ts";
import type { Truth } from "./schema.ts";

/** The verdict, both sides of every finding, and what could not be checked. */
export function renderTruth(record: Truth & Partial<Refs>, terminal: Terminal): string {
  const { verdict, findings, total, unobservable, compared } = record;
  const { calls, changes, commands } = compared;
  const rows: readonly Row[] = [
    {
      label: "verdict",
      color: "bold",
      mark: mark(verdict === "unknown" ? undefined : verdict === "consistent"),
      text: verdict,
      note: notes(total > 0 && counted(total, "finding"), refsNote(record)),
    },
    ...findings.flatMap(({ message, declared, observed }): readonly Row[] => [
      { label: "finding", color: "red", mark: mark(false), text: message, whole: true },
      { label: "  reported", color: "dim", text: declared.text, whole: true },
      { label: "  observed", color: "dim", text: observed.text, whole: true },
    ]),
    ...(total > findings.length
      ? [{ label: "", color: "dim", text: `and ${counted(total - findings.length, "more finding")}` } as const]
      : []),
    ...unobservable.flatMap(({ rule, reason, claim }): readonly Row[] => {
      const why = `${rule}: ${reason}`;
      if (claim === undefined) return [{ label: "not checked", color: "dim", text: why, whole: true }];
      return [
        { label: "undecided", color: "yellow", text: claim, whole: true },
        { label: "  because", color: "dim", text: why, whole: true },
      ];
    }),
    {
      label: "compared",
      color: "bold",
      text: [counted(calls, "call"), amount(changes, "changed file"), amount(commands, "command")].join(", "),
    },
  ];
  return rows.map((each) => row(each, terminal)).join("");
}

function amount(count: number | null, one: string): string {
  return count === null ? `unknown ${one}s` : counted(count, one);
}
