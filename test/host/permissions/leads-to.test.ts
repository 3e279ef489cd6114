import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAbout, waysOf } from "../../../src/host/permissions/call-rule.ts";
import { leadsTo } from "../../../src/host/permissions/leads-to.ts";
import { touchesAny } from "../../../src/pure/checks/globs.ts";

let root = "";
let outside = "";
beforeAll(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "harness-leads-")));
  [root, outside] = [join(base, "root"), join(base, "outside")];
  for (const folder of [join(root, "src/deep"), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, ".env"), "secret");
  writeFileSync(join(outside, "key"), "secret");
  writeFileSync(join(root, ".key"), "secret");
  linkSync(join(root, ".key"), join(root, "src/hard.txt"));
  linkSync(join(outside, "key"), join(root, "src/key.txt"));
  symlinkSync(".env", join(root, "notes.txt"));
  symlinkSync("../../.env", join(root, "src/deep/up"));
  symlinkSync("notes.txt", join(root, "two"));
  symlinkSync("src", join(root, "code"));
  symlinkSync(outside, join(root, "away"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync(root, join(base, "alias"));
});
afterAll(() => rmSync(join(root, ".."), { recursive: true, force: true }));

const call = (path: string, from: string | undefined = root) => ({ names: ["write"], input: { path }, paths: waysOf([path], from) });
const isDenied = (path: string, glob = ".env") => isAbout({ tool: "*", params: { path: glob } }, call(path), false);
const isAllowed = (path: string, glob = "src/*") => isAbout({ tool: "write", params: { path: glob } }, call(path), true);

describe("S7: a path is judged by where it leads", () => {
  test.for([
    ".env",
    ".env/",
    "./.env//",
    "src/../.env",
    "src/deep/../../.env",
    "././/.env/.",
    "notes.txt",
    "two",
    "src/deep/up",
    "code/deep/up",
    "code/../.env",
  ])("S7: deny path .env also stops %s", (path) => {
    expect(isDenied(path)).toBe(true);
    expect(isDenied(join(root, path))).toBe(true);
    expect(isAllowed(path, ".e*")).toBe(path !== "notes.txt" && path !== "two" && !path.endsWith("up"));
  });

  test.for(["/proc/self/cwd/.env", "/proc/thread-self/cwd/src/../.env", "/proc/1/task/1/cwd/.env", "/proc/self/fd/7", "/dev/fd/9", "loop"])(
    "S7: and %s, which only the agent or no one can follow",
    (path) => {
      expect(isDenied(path)).toBe(true);
      expect(isAllowed(path, ".e*")).toBe(false);
    },
  );

  test("S7: the parent of a link is the parent of its target", () => {
    expect(leadsTo("away/../secret", root).places).toContain(join(outside, "../secret"));
    expect(leadsTo("away/../secret", root).places.at(-1)).toBe(join(outside, "../secret"));
    expect(isAllowed("src/../code/../../outside/x", "src/*")).toBe(false);
  });

  test("S7: a denied file is not standard output", () => {
    expect(isDenied("/dev/stderr")).toBe(false);
  });

  test.for([".ENV", ".Env", ".\u0065nv", ".e\u200bnv", "\uff0eenv", ".en\ufe00v"])(
    "S7: and %j, which some file systems take for it",
    (path) => {
      expect(isDenied(path)).toBe(true);
      expect(touchesAny(path, [".env"])).toBe(true);
    },
  );

  test("S7: both Unicode forms of a name are one name for a denial, and two for a permission", () => {
    const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
    expect(isDenied(composed, decomposed)).toBe(true);
    expect(isDenied(decomposed, composed)).toBe(true);
    expect(isAllowed(composed, composed)).toBe(true);
    expect(isAllowed(decomposed, composed)).toBe(false);
    expect(touchesAny(`a/${decomposed}`, ["a/caf\u00c9"])).toBe(true);
  });

  test("S7: a permission covers every place on the way, by its exact name", () => {
    expect(isAllowed("src/new.ts")).toBe(true);
    expect(isAllowed("src/new/")).toBe(true);
    expect(isAllowed("./src//a")).toBe(true);
    expect(isAllowed(join(root, "src/a"))).toBe(true);
    for (const path of ["src/deep/up", "code/a", "SRC/a", "away/a", "src/../a", "loop"]) expect(isAllowed(path), path).toBe(false);
    expect(isAllowed("loop", "*")).toBe(false);
  });

  test("S7: a hard link is the file that it is another name of", () => {
    for (const path of ["src/hard.txt", "code/hard.txt"]) {
      expect(isDenied(path, ".key")).toBe(true);
      expect(isDenied(path, ".k*")).toBe(true);
      expect(isDenied(path, join(root, ".key"))).toBe(true);
      expect(isDenied(path, "other*")).toBe(false);
    }
    expect(isAllowed("src/hard.txt")).toBe(false);
    expect(isDenied("src/key.txt", join(outside, "key"))).toBe(true);
    expect(isDenied("src/key.txt")).toBe(false);
    expect(isAllowed(".key", "*")).toBe(true);
  });

  test("S7: a link out of the workspace leads outside", () => {
    expect(leadsTo("away/x", root).places).toEqual(["away/x", join(outside, "x")]);
    expect(isDenied("away/x", join(outside, "*"))).toBe(true);
    expect(isDenied("src/a", join(root, "src/*"))).toBe(true);
  });

  test("S7: the workspace may itself be named through a link", () => {
    const alias = join(root, "../alias");
    expect(leadsTo(join(alias, ".env"), alias).places).toEqual([".env"]);
    expect(leadsTo(join(root, ".env"), alias).places).toEqual([".env"]);
  });

  test("S7: no spelling of dots and slashes changes where a path leads", () => {
    const step = fc.constantFrom("./", ".//", "src/../", "src/./../", "code/../", "src/deep/../../");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), fc.constantFrom("", "/", "//", "/."), (steps, end) => {
        expect(isDenied(`${steps.join("")}.env${end}`)).toBe(true);
      }),
    );
  });
});
