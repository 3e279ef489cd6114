const CELL = { width: 8.43, height: 19 };
const EDGE = 16;
const BAR = 34;
const TYPED_MS = 900;
const HELD_MS = 6000;
/** The loop starts so long before its end, so that the first glance sees a complete screen. */
const FIRST_MS = 3000;
/** As wide as the picture of the page, so that both get the same space next to each other. */
const SHOWN_WIDTH = 2400;
const COLUMNS = 80;

/**
 * The frames as one SVG, played by CSS alone in a loop. Each version of a row is drawn once; the rows move up when the screen is full.
 * Without animation (a printer, a reader who asked for less motion) it shows the last screen.
 */
export function terminalSvg(frames, { command, rows, until }) {
  const shown = upTo(frames, until);
  const versions = versionsOf(shown, command);
  const end = Math.max(...versions.map(({ from }) => from)) + HELD_MS;
  const used = Math.max(...versions.map(({ row }) => row)) + 1;
  const height = BAR + rows * CELL.height + EDGE;
  const width = Math.ceil(COLUMNS * CELL.width + 2 * EDGE);
  const scroll = scrollOf(versions, rows);
  const styles = [
    "text{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;fill:#d7dde5}",
    ".b{font-weight:700;fill:#fff}.d{fill:#8b96a3}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79c0ff}",
    ".magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}.gray{fill:#8b96a3}.old{visibility:hidden}",
    `#rows{transform:translateY(${-Math.max(0, used - rows) * CELL.height}px)}`,
    "@media (prefers-reduced-motion:no-preference){",
    `g{animation:${end}ms step-end ${FIRST_MS - end}ms infinite}#rows{animation-name:scroll}`,
    keyframes(
      "scroll",
      end,
      scroll.map(({ ms, by }) => [ms, `transform:translateY(${-by * CELL.height}px)`]),
    ),
    ...versions.map(({ from, to }, i) => {
      const moments = [
        [0, `visibility:${from === 0 ? "visible" : "hidden"}`],
        [from, "visibility:visible"],
      ];
      return `${keyframes(`v${i}`, end, to === undefined ? moments : [...moments, [to, "visibility:hidden"]])}#v${i}{animation-name:v${i}}`;
    }),
    "}",
  ];
  const drawn = versions.map(({ row, runs, to }, i) => `<g id="v${i}"${to === undefined ? "" : ' class="old"'}>${textOf(runs, row)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${SHOWN_WIDTH}" height="${Math.round((SHOWN_WIDTH * height) / width)}" role="img" aria-label="A terminal that shows ${command} at work">
<style>${styles.join("\n")}</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="20" cy="17" r="5.5" fill="#ff5f56"/><circle cx="38" cy="17" r="5.5" fill="#ffbd2e"/><circle cx="56" cy="17" r="5.5" fill="#27c93f"/>
<svg y="${BAR}" width="${width}" height="${rows * CELL.height}"><g id="rows">
${drawn.join("\n")}
</g></svg>
</svg>
`;
}

/** The frames until the paragraph that matches, and nothing below it. */
function upTo(frames, until) {
  const rows = frames.at(-1).rows.map((runs) => runs.map(({ text }) => text).join(""));
  const match = rows.findIndex((text) => until.test(text));
  if (match === -1) throw new Error(`No row of the output matches ${until}.`);
  const last = rows.findIndex((text, i) => i > match && text.trim() === "") - 1;
  const to = frames.findIndex(({ rows }) => rows.length > last + 1);
  return frames.slice(0, to + 1).map(({ ms, rows }) => ({ ms, rows: rows.slice(0, last + 1) }));
}

/** All versions of each row with their times; the last version has no end. The command is row 0. */
function versionsOf(frames, command) {
  const versions = [
    {
      row: 0,
      from: 0,
      runs: [
        { text: "$ ", style: { color: "green" } },
        { text: command, style: { bold: true } },
      ],
    },
  ];
  const current = new Map();
  for (const { ms, rows } of frames) {
    const height = Math.max(rows.length, ...[...current.keys()].map((row) => row + 1));
    for (let row = 0; row < height; row += 1) {
      const runs = (rows[row] ?? []).filter(({ text }) => text.trim() !== "" || rows[row].length > 1);
      const key = JSON.stringify(runs);
      const before = current.get(row);
      if ((before?.key ?? "[]") === key) continue;
      const from = ms + TYPED_MS;
      if (before?.version !== undefined) before.version.to = from;
      const version = runs.length === 0 ? undefined : { row: row + 1, from, runs: rows[row] };
      if (version !== undefined) versions.push(version);
      current.set(row, { key, version });
    }
  }
  return versions.filter(({ from, to }) => from !== to);
}

/** How many rows have scrolled away, and since when. */
function scrollOf(versions, rows) {
  const moments = [{ ms: 0, by: 0 }];
  for (const { row, from } of versions.toSorted((a, b) => a.from - b.from)) {
    const by = row + 1 - rows;
    if (by > moments.at(-1).by) moments.push({ ms: from, by });
  }
  return moments;
}

function keyframes(name, end, moments) {
  const steps = new Map(moments.map(([ms, rule]) => [Number(((100 * ms) / end).toFixed(3)), rule]));
  return `@keyframes ${name}{${[...steps].map(([percent, rule]) => `${percent}%{${rule}}`).join("")}}`;
}

function textOf(runs, row) {
  let column = 0;
  const spans = runs.map(({ text, style }) => {
    const x = (EDGE + column * CELL.width).toFixed(1);
    column += [...text].length;
    const names = [style.bold ? "b" : "", style.dim ? "d" : "", style.color ?? ""].filter((name) => name !== "").join(" ");
    return text.trim() === "" ? "" : `<tspan x="${x}"${names === "" ? "" : ` class="${names}"`}>${escapeXml(text)}</tspan>`;
  });
  return `<text y="${row * CELL.height + 14}">${spans.join("")}</text>`;
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
