/** A terminal that knows the sequences our own output uses. Rows that scroll away are kept; an unknown sequence is an error. */
export function screen(columns) {
  const rows = [[]];
  let row = 0;
  let column = 0;
  let wraps = true;
  let style = {};

  function put(sign) {
    if (column >= columns) {
      if (!wraps) return;
      lineFeed();
      column = 0;
    }
    const line = rows[row];
    while (line.length < column) line.push({ text: " ", style: {} });
    line[column] = { text: sign, style };
    column += 1;
  }

  function lineFeed() {
    row += 1;
    rows[row] ??= [];
  }

  function control(parameters, name) {
    const numbers = parameters.split(";").map(Number);
    const [first] = numbers;
    if (name === "m") for (const number of numbers) style = styled(style, number);
    else if (name === "K") rows[row].length = Math.min(rows[row].length, column);
    else if (name === "J") {
      rows[row].length = Math.min(rows[row].length, column);
      rows.length = row + 1;
    } else if (name === "A") row = Math.max(0, row - Math.max(1, first));
    else if (parameters === "?7") wraps = name === "h";
    else if (!parameters.startsWith("?")) throw new Error(`The picture does not know the sequence ESC [ ${parameters} ${name}.`);
  }

  return {
    write(text) {
      for (const [whole, parameters, name] of text.matchAll(/\x1b\[([\d;?]*)([A-Za-z])|[\s\S]/gu)) {
        if (name !== undefined) control(parameters, name);
        else if (whole === "\r") column = 0;
        else if (whole === "\n") lineFeed();
        else put(whole);
      }
    },
    /** Runs of cells with the same style. */
    rows: () => rows.map(runsOf),
  };
}

const COLORS = { 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta", 36: "cyan", 90: "gray" };

function styled(style, number) {
  if (number === 0) return {};
  if (number === 1) return { ...style, bold: true };
  if (number === 2) return { ...style, dim: true };
  if (number === 22) return { ...style, bold: false, dim: false };
  if (number === 39) return { ...style, color: undefined };
  if (COLORS[number] !== undefined) return { ...style, color: COLORS[number] };
  return style;
}

function runsOf(cells) {
  const runs = [];
  for (const { text, style } of cells) {
    const last = runs.at(-1);
    if (last !== undefined && JSON.stringify(last.style) === JSON.stringify(style)) last.text += text;
    else runs.push({ text, style });
  }
  return runs;
}
