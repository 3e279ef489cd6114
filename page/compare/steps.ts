import { type Columns, type GroupId, groups } from "../timeline/index.ts";

/** What is compared of a run: what its agent did. When it began, what it used and how it ended stand above. */
export interface Step {
  readonly seq: number;
  /** Of a call, where it has ended; 0: no end. */
  readonly end: number;
  /** Its kind and operation: steps that differ in it are never the same step. */
  readonly kind: string;
}

const compared: ReadonlySet<GroupId> = new Set(["talk", "thinking", "write", "command", "look", "tool", "agents", "problem"]);

export function stepsOf(columns: Columns, count: number): readonly Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < count; i++) {
    const group = groups[columns.group[i] ?? 0]?.id;
    if (group === undefined || !compared.has(group)) continue;
    steps.push({ seq: i + 1, end: columns.endOf[i] ?? 0, kind: `${columns.kind[i]}.${(columns.flags[i] ?? 0) & ~1}` });
  }
  return steps;
}
