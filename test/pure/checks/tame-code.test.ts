import { expect, test } from "vitest";
import { isCode, isTame } from "../../../src/pure/checks/tame-code.ts";

/** Code under test that can end the process or change the assertions, in ways that a list of calls does not foresee. */
test.each([
  "const p=process; p['ex'+'it'](0);",
  "globalThis['pro'+'cess']['really'+'Exit'](0);",
  "Object.assign(require('node:assert'),{equal(){}}); exports.sum=(a,b)=>a-b;",
  "const a=require('assert'); for (const k of Object.keys(a)) a[k]=()=>{}; exports.sum=(a,b)=>a-b;",
  "const a=require('assert'); Reflect.set(a,'equal',()=>{});",
  "exports.sum=(a,b)=>({[Symbol.toPrimitive]:()=>b===2?3:1});",
  "pr\\u006fcess.exit(0);",
  "const { exit } = process;",
  "const x = 1\n* process.exit(0);",
  "process\n  .exit(0);",
  "import { exit } from 'node:process';",
  "import p from 'process';",
  "const r = require; r('assert').equal = () => {};",
  "require('ass' + 'ert').equal = () => {};",
  "module.parent.children.forEach((m) => {});",
  "module.constructor._load = () => {};",
  "require.cache[require.resolve('./sum.test.js')] = {};",
  "(() => {}).constructor('return this')().process.exit(0);",
  "[]['fil' + 'ter']['constr' + 'uctor']('x')();",
  "new Function('return process')().exit(0);",
  "const k = ['ex', 'it'].join('');",
  "const k = atob('ZXhpdA==');",
  "handlers[name]();",
  "arguments[1]('assert').equal = () => {};",
  "(function () { return this['pro' + 'cess']; })();",
  "import('node:' + name);",
  "require('../../evil.js');",
  "require('/tmp/evil.js');",
  "require('./build/evil.js');",
  "require('./evil.dat');",
  "import 'data:text/javascript,process.exit(0)';",
  "const { createRequire } = require('module');",
  "require('child_process').execSync('kill 1');",
  "Object.is = () => true;",
  "Array.prototype.every = () => true;",
  "const O = Object; O.is = () => true;",
  "test = () => {};",
  "if (process.env.NODE_TEST_CONTEXT) exports.sum = () => 3;",
  "console.error = () => {};",
  "process.stdout.write = () => {};",
  "Error.prepareStackTrace = () => '';",
])("not tame: %s", (code) => expect(isTame("src/sum.js", code.split("\n"), false)).toBe(false));

test.each([
  "exports.sum = (a, b) => a + b;",
  "module.exports = { sum: (a, b) => a + b };",
  "import { readFile } from 'node:fs/promises';",
  "const { join } = require('node:path');",
  "import lodash from 'lodash';",
  "import { sum } from './lib/sum.js';",
  "// process.exit(0) ends it",
  " * The process ends here.",
  "const home = process.env.HOME ?? process.cwd();",
  "for (let i = 0; i < a.length; i++) total += a[i] * b[a.length - 1 - i];",
  "const [first, second] = words[key].split(' ');",
  "return counts[word] ?? 0;",
  "class A { constructor(x) { this.x = x; } }",
  "throw new Error('Cannot process the file ' + path + ': no module found');",
  "process.stdout.write('hello');",
  "const all = Object.keys(groups).map((name) => groups[name]);",
  "export function process(items: readonly string[]): number { return items.length; }",
  "queue.process(job);",
  "const copy = Object.assign({}, defaults, options);",
  "Object.prototype.hasOwnProperty.call(a, 'b');",
  "const rows = text.split('\\n').map((line) => line.split(',')[0]);",
  "if (typeof value === 'object' && value !== null) return Object.entries(value);",
  "return [a, b].map((x) => x * 2);",
  "it('adds', () => {});",
  "const all = `of a module`;",
])("tame: %s", (code) => expect(isTame("src/sum.ts", code.split("\n"), false)).toBe(true));

test.each([
  ["const assert = require('node:assert');", true],
  ["import { test } from 'node:test';", true],
  ["test('adds', () => assert.equal(sum(1, 2), 3));", true],
  ["expect(sum(1, 2)).toBe(3);", true],
  ["assert.deepEqual([...a], [1]);", true],
  ["assert.equal = () => {};", false],
  ["const a = assert;", false],
  ["t.mock.method(assert, 'equal', () => {});", false],
  ["expect.extend({ toBe: () => ({ pass: true }) });", false],
  ["process.exit(0);", false],
])("in a test: %s", (code, isIt) => expect(isTame("sum.test.js", [code], true)).toBe(isIt));

test.each([
  ["import os, sys\nprint(os.environ['HOME'], sys.argv[1])", true],
  ["def double(x):\n    return 2 * x", true],
  ["    raise ValueError('exited')", true],
  ["import sys\nsys.exit(0)", false],
  ["import sys as s\ns.exit()", false],
  ["raise SystemExit", false],
  ["__import__('o' + 's')._exit(0)", false],
  ["import unittest\nunittest.TestCase.assertEqual = print", false],
  ["class A:\n    def __eq__(self, other): return True", false],
  ["getattr(os, '_ex' + 'it')(0)", false],
])("Python: %s", (code, isIt) => expect(isTame("calc.py", code.split("\n"), false)).toBe(isIt));

test("what may be run is read, whatever its name", () => {
  expect(["lib/h", "lib/h.dat", "a.node", "x.py", "src/a.ts"].filter((path) => !isCode(path))).toEqual([]);
  expect(["README.md", "data.json", "dist/a.js", "node_modules/x/i.js", ".git/HEAD", "LICENSE"].filter(isCode)).toEqual([]);
});

test("reading hostile code takes time in proportion to its length", () => {
  const timeOf = (code: string) => {
    const begun = performance.now();
    isTame("a.js", [code], true);
    return performance.now() - begun;
  };
  for (const piece of ["x[", "['a' ", '"a"+', "process ", "assert.a", "a ? [", "\\u0041", "${", "a.", "import "]) {
    const [small, large] = [20_000, 320_000].map((length) => timeOf(piece.repeat(length / piece.length)));
    expect(large, piece).toBeLessThan(100 * Math.max(small ?? 0, 5));
  }
});
