import { expect, test } from "vitest";
import { codeOf, finalOf } from "../../../src/work/native/repl/code-of.ts";
import { withVars } from "../../../src/work/native/repl/with-vars.ts";

test.each([
  ["const a = 1; let b = 2", "var a = 1; var b = 2"],
  ["let [a, b] = c", "var [a, b] = c"],
  ["const {a} = b", "var {a} = b"],
  ["for (const a of b) { let c = 1 }", "for (const a of b) { let c = 1 }"],
  ["f(() => { const a = 1 })\nconst b = 2", "f(() => { const a = 1 })\nvar b = 2"],
  ["x.let = 1; let.y = 2; letter = 3; outlet = 4", "x.let = 1; let.y = 2; letter = 3; outlet = 4"],
  ["const a = 'let it'; // const b\n/* let c */ const d = \"const e\"", "var a = 'let it'; // const b\n/* let c */ var d = \"const e\""],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program
  ["const a = `\nlet b ${f({ c: `const ${d}` })} const e`; let g", "var a = `\nlet b ${f({ c: `const ${d}` })} const e`; var g"],
  ['const a = /[/"]let x/.test(b); const c = d / e; const f = g / h', 'var a = /[/"]let x/.test(b); var c = d / e; var f = g / h'],
  ["const a = 'it\\'s'; const b = 'open\nconst c = 1", "var a = 'it\\'s'; var b = 'open\nvar c = 1"],
])("%s", (code, expected) => {
  expect(withVars(code)).toBe(expected);
});

test("code is the content of fenced JavaScript blocks", () => {
  expect(codeOf("First:\n```js\na()\n```\nthen\n```\nb()\n```\nnot\n```python\nc()\n```\n")).toBe("a()\n\nb()\n");
  expect(codeOf("~~~repl\na()\n~~~")).toBe("a()\n");
  expect(codeOf("```javascript\nunfinished()")).toBe("unfinished()");
  expect(codeOf("Nothing `here` to run.")).toBe(undefined);
});

test("an answer may be given without a program", () => {
  expect(finalOf("So it is.\nFINAL(42)")).toBe("42");
  expect(finalOf('FINAL("a (b)\nc")')).toBe("a (b)\nc");
  expect(finalOf("I could call FINAL(x) now.")).toBe(undefined);
});
