import { markdownTable } from "../markdown-table.ts";
import { effects } from "./effects.ts";
import { levels } from "./levels.ts";
import { cellOf, exceededIn, isAnnounced, type Row } from "./matrix.ts";

const MARKS = { yes: "yes", no: "no", exceeded: "**yes**", none: "–" } as const;

const BEGIN = "<!-- matrix: written by npm run permissions -->";
const END = "<!-- /matrix -->";

/** The page with the tables of these rows. */
export function permissionsPage(page: string, rows: readonly Row[]): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error("docs/reference/permissions.md has no marks for the matrix.");
  return `${before}${BEGIN}\n\n${tablesOf(rows)}\n\n${END}${after}`;
}

function tablesOf(rows: readonly Row[]): string {
  const parts = levels.map((level) => {
    const own = rows.filter((row) => row.level === level);
    const lines = own.map((row) => [
      row.label,
      ...effects.map((effect) => MARKS[cellOf(rows, row.agent, level, effect) ?? "no"]),
      "rejected" in row ? "rejected" : row.status.join(", "),
      exceededIn(rows, row).length === 0 ? (isAnnounced(row) ? "warning" : "") : isAnnounced(row) ? "exceeded, warning" : "exceeded",
    ]);
    return `### ${TITLES[level]}\n\n${markdownTable(["agent", ...effects, "status", ""], lines)}`;
  });
  return parts.join("\n\n");
}

const TITLES = {
  full: "`--permissions full`",
  default: "`--permissions default`",
  "read-only": "`--permissions read-only`",
  allow: "`--permissions default --allow read --allow edit`",
  deny: "`--permissions full --deny execute`",
} as const;
