import { expect, test } from "vitest";
import { seatbeltProfile } from "../../../src/pure/isolation/index.ts";

/** What `sandbox-exec` would enforce. The text is tested here; no Mac has run it yet. */

const rules = (profile: string) => profile.trim().split("\n").slice(9);

test("a rule per mount, in order: the last one counts", () => {
  const profile = seatbeltProfile({
    network: false,
    mounts: [
      { kind: "read", path: "/usr" },
      { kind: "devices", path: "/dev" },
      { kind: "processes", path: "/proc" },
      { kind: "empty", path: "/Users/ada" },
      { kind: "link", path: "/etc", to: "private/etc" },
      { kind: "write", path: "/Users/ada", from: "/private/tmp/home" },
      { kind: "write", path: "/Users/ada/work" },
    ],
  });
  expect(rules(profile)).toEqual([
    '(allow file-read* (subpath "/usr"))',
    '(deny file-write* (subpath "/usr"))',
    expect.stringMatching(/^\(allow file-read\* file-write\* file-ioctl \(literal "\/dev\/null"\) .*\(literal "\/dev\/stderr"\)\)$/),
    '(deny file-read* file-write* (subpath "/Users/ada"))',
    '(allow file-read-metadata (literal "/Users/ada"))',
    '(allow file-read* (literal "/etc"))',
    '(allow file-read* file-write* (subpath "/private/tmp/home"))',
    '(allow file-read* file-write* (subpath "/Users/ada/work"))',
    "(deny network*)",
  ]);
  expect(profile.startsWith("(version 1)\n(deny default)\n")).toBe(true);
});

test("an open network, and the whole file system", () => {
  expect(rules(seatbeltProfile({ network: true, mounts: [{ kind: "everything" }] }))).toEqual([
    "(allow file-read* file-write* file-ioctl)",
    "(allow network* system-socket)",
  ]);
});

test("a path cannot add a rule", () => {
  const path = '/Users/ada/") (allow default) ("\\';
  const [rule] = rules(seatbeltProfile({ network: true, mounts: [{ kind: "write", path }] }));
  expect(rule).toBe('(allow file-read* file-write* (subpath "/Users/ada/\\") (allow default) (\\"\\\\"))');
});

test("parentheses are balanced, outside of strings", () => {
  const profile = seatbeltProfile({
    network: true,
    mounts: [
      { kind: "devices", path: "/dev" },
      { kind: "read", path: "/a (b" },
    ],
  });
  const bare = profile.replace(/"(?:[^"\\]|\\.)*"/g, "");
  expect(bare.split("(").length).toBe(bare.split(")").length);
});
