import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAppendFile, writeAtomically } from "../../../src/host/files/index.ts";
import { findSecrets, hideSecretsIn, maskBytes, maskFact, maskText } from "../../../src/host/secrets/index.ts";
import { json, own, part, recorded, type SafeText, writeFile, writeFully } from "../../../src/host/sink/index.ts";

/** Each `@ts-expect-error` fails the type check if the compiler accepts the line below it. */

const SECRET = "a-secret-0001";
const find = findSecrets([{ value: SECRET }]);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-sink-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("S2: the compiler rejects text and bytes that no one has masked", () => {
  const path = join(folder, "rejected");
  const fd = openSync(path, "w");
  const words: string = "any text";
  const safe = maskText(words, find);
  const fact = maskFact({ type: "warning", code: "x", message: SECRET }, find);
  const rejected = [
    // @ts-expect-error plain text
    () => writeFully(fd, words),
    // @ts-expect-error plain bytes
    () => writeFully(fd, Buffer.from(words)),
    // @ts-expect-error a text that our code has put together
    () => writeFully(fd, `${safe} ${words}`),
    // @ts-expect-error a part that was cut by hand
    () => writeFully(fd, safe.slice(1)),
    // @ts-expect-error plain text in a template
    () => own`${words}`,
    // @ts-expect-error a value that was not masked
    () => json({ words }),
    // @ts-expect-error a changed copy of a masked value
    () => json({ ...fact, message: words }), // oxlint-disable-line typescript/no-misused-spread
    // @ts-expect-error plain text
    () => writeFile(path, words),
    // @ts-expect-error plain text
    () => writeAtomically(path, words),
    // @ts-expect-error plain text
    () => openAppendFile(path).append(words),
  ];
  expect(rejected).toHaveLength(10);
  closeSync(fd);
});

test("S2: what the masking functions return can be written, and holds no secret", () => {
  const path = join(folder, "accepted");
  const { bytes } = maskBytes(Buffer.from(`bytes ${SECRET}\n`), find);
  const pieces = [maskText(`text ${SECRET}\n`, find), own`${json(hideSecretsIn({ [SECRET]: SECRET }, find))}\n`, bytes, part(bytes, 0, 5)];
  for (const piece of pieces) writeFile(path, piece, { flag: "a" });
  const stars = "*".repeat(SECRET.length);
  expect(readFileSync(path, "utf8")).toBe(`text ${stars}\n{"${stars}":"${stars}"}\nbytes ${stars}\nbytes`);
});

test("a template keeps the escapes of its source, and only them", () => {
  const inside: SafeText = recorded("\\n");
  expect(own`a\n\t${1}${inside}\u00e9`).toBe("a\n\t1\\né");
});
