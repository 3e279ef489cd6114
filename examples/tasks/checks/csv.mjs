import assert from "node:assert/strict";

export async function check({ ask }) {
  const texts = ["a,b\n1,2\n", 'x,"1,5"\r\n"say ""hi""",\r\n', '"two\nlines",z', "", ",\n"];
  const rows = await ask("csv.mjs", ({ parseCsv }, all) => all.map(parseCsv), texts);
  assert.deepEqual(rows, [
    [
      ["a", "b"],
      ["1", "2"],
    ],
    [
      ["x", "1,5"],
      ['say "hi"', ""],
    ],
    [["two\nlines", "z"]],
    [],
    [["", ""]],
  ]);
}
