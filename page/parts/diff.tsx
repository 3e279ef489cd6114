import { useMemo } from "preact/hooks";
import { lineDiff } from "../../src/pure/base/index.ts";

interface DiffLine {
  readonly sign: " " | "+" | "-" | "@";
  readonly text: string;
}

const CONTEXT = 3;
const MOST_LINES = 2000;

export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return <DiffLines lines={lines} />;
}

export function Patch({ text }: { readonly text: string }) {
  const lines = useMemo(
    () =>
      text
        .split("\n")
        .slice(0, MOST_LINES)
        .map((line): DiffLine => {
          if (/^(\*\*\* |@@|diff |index |--- |\+\+\+ )/.test(line)) return { sign: "@", text: line };
          const sign = line[0] === "+" || line[0] === "-" ? line[0] : " ";
          return { sign, text: sign === " " && line[0] !== " " ? line : line.slice(1) };
        }),
    [text],
  );
  return <DiffLines lines={lines} />;
}

function DiffLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <pre class="diff" tabIndex={0}>
      {lines.slice(0, MOST_LINES).map(({ sign, text }, i) => (
        <div key={i} class={classes[sign]}>
          <span class="sign">{sign === "@" ? " " : sign}</span>
          {text}
        </div>
      ))}
    </pre>
  );
}

const classes = { " ": "same", "+": "added", "-": "removed", "@": "hunk" } as const;

function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  const lines: DiffLine[] = [];
  let at = 0;
  const same = (from: number, to: number) => {
    for (const text of a.slice(Math.max(0, from), to)) lines.push({ sign: " ", text });
  };
  for (const region of lineDiff(a, b)) {
    const skipped = region.a - at - 2 * CONTEXT;
    if (skipped > 1) {
      if (at > 0) same(at, at + CONTEXT);
      lines.push({ sign: "@", text: `… ${skipped} unchanged lines` });
      same(region.a - CONTEXT, region.a);
    } else same(at, region.a);
    for (const text of a.slice(region.a, region.aEnd)) lines.push({ sign: "-", text });
    for (const text of b.slice(region.b, region.bEnd)) lines.push({ sign: "+", text });
    at = region.aEnd;
  }
  same(at, Math.min(a.length, at + CONTEXT));
  return lines;
}

/** A final newline does not start a new line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
