import { type Graded, isGraded, type PreparedGrader, sumJudging } from "../trial/index.ts";

export interface Part {
  readonly grader: PreparedGrader;
  readonly weight: number;
}

/**
 * `all`: every part must pass; the score is the lowest. `any`: one pass is enough; the score is the highest. `weighted`: the weighted
 * mean of the scores must reach `threshold`. A broken part makes the whole an error, unless the other parts already decide the verdict.
 */
export function combined(kind: "all" | "any" | "weighted", parts: readonly Part[], threshold = 0.5): PreparedGrader {
  return {
    name: `${kind}(${parts.map(({ grader, weight }) => (kind === "weighted" ? `${weight}*${grader.name}` : grader.name)).join(", ")})`,
    needsWorkspace: parts.some(({ grader }) => grader.needsWorkspace),
    files: parts.flatMap(({ grader }) => grader.files ?? []),
    answers: parts.flatMap(({ grader }) => grader.answers ?? []).filter((path) => !isNamed(path, parts)),
    async flaw() {
      for (const { grader } of parts) {
        const flaw = await grader.flaw?.();
        if (flaw !== undefined) return flaw;
      }
      return undefined;
    },
    async grade(input, signal, launcher) {
      const verdicts: { part: Part; graded: Graded }[] = [];
      for (const part of parts) verdicts.push({ part, graded: await part.grader.grade(input, signal, launcher) }); // in order: they may share the workspace
      const judging = sumJudging(verdicts.map(({ graded }) => graded.judging));
      return { ...combine(kind, verdicts, threshold), ...(judging && { judging }) };
    },
  };
}

/** Whether a program among the parts needs it. */
function isNamed(path: string, parts: readonly Part[]): boolean {
  return parts.some(({ grader: { files = [], answers = [] } }) => files.includes(path) && !answers.includes(path));
}

function combine(kind: "all" | "any" | "weighted", verdicts: readonly { part: Part; graded: Graded }[], threshold: number): Graded {
  const grades = verdicts.flatMap(({ graded }) => (isGraded(graded) ? [graded.grade] : []));
  const broken = verdicts.find(({ graded }) => !isGraded(graded));
  const reasoning = verdicts.map(({ part, graded }) => `${part.grader.name}: ${textOf(graded)}`).join("\n");
  const isDecided = (kind === "all" && grades.some(({ pass }) => !pass)) || (kind === "any" && grades.some(({ pass }) => pass));
  if (broken !== undefined && !isDecided && !isGraded(broken.graded))
    return { error: `${broken.part.grader.name}: ${broken.graded.error}` };
  const scores = grades.map(({ score }) => score);
  if (kind === "all") return { grade: { pass: grades.every(({ pass }) => pass), score: Math.min(...scores), reasoning } };
  if (kind === "any") return { grade: { pass: grades.some(({ pass }) => pass), score: Math.max(...scores), reasoning } };
  const total = verdicts.reduce((sum, { part }) => sum + part.weight, 0);
  const score = verdicts.reduce((sum, { part }, index) => sum + (part.weight / total) * (scores[index] ?? 0), 0);
  return { grade: { pass: score >= threshold, score, reasoning } };
}

function textOf(graded: Graded): string {
  if (!isGraded(graded)) return `error: ${graded.error}`;
  const { pass, score, reasoning } = graded.grade;
  return `${pass ? "pass" : "fail"} (${score})${reasoning === undefined ? "" : ` ${reasoning}`}`;
}
