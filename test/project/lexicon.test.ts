import { join } from "node:path";
import { expect, test } from "vitest";
import type { Description } from "../../src/app/cli/describe.ts";
import { ROOT } from "./imports.ts";

/** Pages, comments, messages, help and test titles follow docs/words.md. */

interface Offence {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

interface Lexicon {
  readonly lexicon: readonly (readonly [pattern: RegExp, instead: string])[];
  readonly offences: (paths?: readonly string[]) => readonly Offence[];
}

const { lexicon, offences }: Lexicon = await import(join(ROOT, "scripts/lexicon.mjs"));

test("no sentence of the project uses a word that docs/words.md rejects", () => {
  const found = offences();
  expect(found.map(({ file, line, found: word, instead }) => `${file}:${line}: “${word}” → ${instead}`)).toEqual([]);
});

test("no help text does, as the program prints it", async () => {
  const { descriptions }: { readonly descriptions: () => readonly Description[] } = await import(join(ROOT, "dist/cli/describe.js"));
  const texts = descriptions().flatMap(({ path, description, arguments: args, options, sections }) =>
    [description, ...[...args, ...options].map((each) => each.description), ...sections.flatMap(({ lines }) => lines)].map((text) => ({
      path,
      text,
    })),
  );
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.filter(({ text }) => lexicon.some(([pattern]) => pattern.test(text)))).toEqual([]);
});

test("a rejected word would be found", () => {
  const found = (text: string) => lexicon.filter(([pattern]) => pattern.test(text)).map(([, instead]) => instead.split(/[ ,;(]/)[0]);
  expect(found("The agent told nobody.")).toEqual(["report", "no"]);
  expect(found("The value is rejected: 7 is not a date.")).toEqual([]);
});
