import { type Columns, type GroupId, groups } from "../timeline/index.ts";

/** The steps that are compared: what the agent did. Start, usage and end are compared separately. */
export interface Step {
  readonly seq: number;
  /** The event that ends a call; 0 if there is none. */
  readonly end: number;
  /** Kind and operation; steps with different kinds are never the same. */
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
