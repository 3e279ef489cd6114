/** Aligned columns: name, measured, target, and ok or MISS. */
export function show(rows) {
  const lines = [
    ["what", "measured", "target", ""],
    ...rows.map(({ what, measured, unit, target, ok }) => [
      what,
      unit === "×" ? measured.toFixed(2) : `${measured.toFixed(0)} ${unit}`,
      target,
      target === "" ? "" : ok ? "ok" : "MISS",
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map(([what, measured, target, verdict]) =>
      `${what.padEnd(widths[0])}  ${measured.padStart(widths[1])}  ${target.padEnd(widths[2])}  ${verdict}`.trimEnd(),
    )
    .join("\n");
}
