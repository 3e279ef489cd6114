import type { Step } from "./step.ts";

/** From this many on, consecutive calls of one tool become one step; in a drawing that is too long, any consecutive calls do. */
const ALIKE = 4;
const LONG = 250;
/** The most steps in a drawing; of a longer one the beginning and the end are shown. Browsers are slow beyond this. */
const MOST = 1500;

/** Merges long rows of successful calls. Failures always stay separate. */
export function collapse(steps: readonly Step[]): readonly Step[] {
  const alike = merge(steps, ALIKE, (a, b) => a.title === b.title);
  const short = alike.length <= LONG ? alike : merge(alike, 2, () => true);
  return short.length <= MOST ? short : beginningAndEnd(short);
}

function beginningAndEnd(steps: readonly Step[]): readonly Step[] {
  const begin = steps.slice(0, MOST / 2);
  const end = steps.slice(-MOST / 2);
  const before = begin.findLast(({ run }) => run === steps[0]?.run);
  if (before === undefined) return begin;
  const count = steps.length - begin.length - end.length;
  const from = [{ id: before.id, kind: "next" as const }];
  const gap: Step = {
    ...before,
    id: `${before.id} …`,
    kind: "text",
    title: "left out",
    detail: `${count} steps`,
    outcome: "",
    count,
    from,
  };
  const shown = new Set([...begin, ...end].map(({ id }) => id));
  const linked = end.map((step) => {
    const links = step.from.filter(({ id }) => shown.has(id));
    return links.length > 0 || step.run !== gap.run ? { ...step, from: links } : { ...step, from: [{ id: gap.id, kind: "next" as const }] };
  });
  return [...begin, gap, ...linked];
}

function merge(steps: readonly Step[], least: number, isAlike: (a: Step, b: Step) => boolean): readonly Step[] {
  const followers = new Map<string, Step[]>();
  for (const step of steps) for (const { id } of step.from) followers.set(id, [...(followers.get(id) ?? []), step]);
  const gone = new Map<string, string>(); // a merged step → the step that replaces it
  const out: Step[] = [];
  for (const step of steps) {
    if (gone.has(step.id)) continue;
    const row = [step];
    for (let at: Step | undefined = step; at !== undefined; ) {
      const next: Step | undefined = onlyFollower(followers.get(at.id));
      at = next !== undefined && isPlain(step) && isPlain(next) && next.run === step.run && isAlike(step, next) ? next : undefined;
      if (at !== undefined) row.push(at);
    }
    const count = row.reduce((sum, one) => sum + one.count, 0);
    if (row.length < 2 || count < least) {
      out.push(step);
      continue;
    }
    for (const one of row) gone.set(one.id, step.id);
    const titles = [...new Set(row.map(({ title }) => title))];
    out.push({ ...step, title: titles.join(", "), count, detail: row.map(({ detail }) => detail).join(" · "), outcome: "" });
  }
  return out.map((step) => ({ ...step, from: step.from.map((link) => ({ ...link, id: gone.get(link.id) ?? link.id })) }));
}

function isPlain({ kind, state }: Step): boolean {
  return kind === "call" && state === "ok";
}

function onlyFollower(steps: readonly Step[] = []): Step | undefined {
  return steps.length === 1 ? steps[0] : undefined;
}
