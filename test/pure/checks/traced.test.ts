import { describe, expect, test } from "vitest";
import type { CheckOptions } from "../../../src/pure/checks/check.ts";
import { checks } from "../../../src/pure/checks/checks.ts";
import type { RunEvidence } from "../../../src/pure/checks/evidence.ts";
import { effectsIn } from "../../../src/pure/checks/traced-effects.ts";
import type { CommandsObservedBody, TracedEffect, TraceEffects, TraceGapReason } from "../../../src/pure/events/index.ts";

/** The verdicts of absence checks on a trace: pass, fail and unknown, each with its reason. */

const by = { count: 1, at: 1, pid: 7, argv: ["tool", "--do"] };
const wrote = (target: string): TracedEffect => ({ kind: "write", target, by: "command", call: "openat", ...by });
const asked = (target: string): TracedEffect => ({ kind: "socket", target, by: "command", call: "connect", ...by });
const spoke = (target: string, peer: "loopback" | "other", who: "agent" | "command" = "command"): TracedEffect => ({
  kind: "connection",
  target,
  peer,
  by: who,
  call: "connect",
  ...by,
});

interface Given {
  readonly effects?: readonly TracedEffect[];
  readonly gaps?: readonly TraceGapReason[];
  /** The number of writes; may exceed the listed ones. */
  readonly writes?: number;
}

function evidence({ effects = [], gaps = [], writes }: Given | undefined = {}, isSeen = true): RunEvidence {
  const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length;
  const traced: TraceEffects = {
    writes: writes ?? count("write"),
    sockets: count("socket"),
    connections: count("connection"),
    first: effects,
    gaps: gaps.map((reason) => ({ reason, count: 2 })),
    home: "/home/me",
    log: { path: "artifacts/trace_effects.jsonl", bytes: 1, sha256: "0".repeat(64) },
  };
  const base = { type: "commands-observed", available: true, sources: ["trace"], wrapped: [], observed: 0, categories: [] } as const;
  const body: CommandsObservedBody = { ...base, ...(isSeen && { effects: traced }) };
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, mode: 0, type: 0, unknown: 0 };
  const files = { type: "files-changed", method: "other", counts, leftOut: 0, unseen: 0, changes: [], total: 0 } as const;
  return { answer: null, constraints: [], commands: [], files: { seq: 3, body: files }, watched: { seq: 9, body } };
}

function judge(id: string, run: RunEvidence, options: CheckOptions) {
  const check = checks.find((each) => each.id === id);
  expect(check?.refuse?.(options)).toBeUndefined();
  return check?.judge(run, options);
}

describe("scope.only_paths", () => {
  const only = (given: Given | undefined, outside?: readonly string[], isSeen = true) =>
    judge("scope.only_paths", evidence(given, isSeen), { paths: ["**"], ...(outside && { outside }) });

  test("passes if everything was seen and nothing is outside", () => {
    expect(only({})?.status).toBe("pass");
    expect(only({ effects: [spoke("1.2.3.4:443", "other")] })?.status).toBe("pass");
  });

  test("fails with path, process and line", () => {
    const verdict = only({ effects: [wrote("/tmp/ok"), wrote("/etc/x")] }, ["/tmp/**"]);
    expect(verdict).toEqual({
      status: "fail",
      message: "1 path outside the workspace was written: /etc/x.",
      evidence: [
        {
          source: "commands",
          path: "artifacts/trace_effects.jsonl",
          line: 2,
          excerpt: "/etc/x: openat by tool --do (process 7)",
          events: [9],
        },
      ],
    });
  });

  test.each([
    ["/tmp/a", ["/tmp/**"], "pass"],
    ["/tmp", ["/tmp/**"], "pass"],
    ["/tmp/a/b", ["/tmp/*"], "fail"],
    ["/home/me/.claude/x", ["~/.claude/**"], "pass"],
    ["/home/me/.claude", ["~/.claude/**"], "pass"],
    ["/home/me/.claude.json.tmp", ["~/.claude.json*"], "pass"],
    ["/home/you/.claude/x", ["~/.claude/**"], "fail"],
    ["/srv/tmp/a", ["/tmp/**"], "fail"],
  ])("%s with %j allowed: %s", (target, outside, status) => {
    expect(only({ effects: [wrote(target)] }, outside)?.status).toBe(status);
  });

  test("is unknown if writes were not seen, or not all of them", () => {
    expect(only({}, undefined, false)).toMatchObject({ status: "unknown", message: expect.stringContaining("were not observed") });
    for (const gap of ["unresolved-path", "mounts", "io-uring", "outlived", "too-many"] as const)
      expect(only({ gaps: [gap] })?.status).toBe("unknown");
    expect(only({ effects: [wrote("/tmp/a")], writes: 2 }, ["/tmp/**"])?.message).toContain("more than the recording lists");
    expect(only({ effects: [asked("/run/docker.sock")] })).toMatchObject({
      status: "unknown",
      message: expect.stringContaining("/run/docker.sock"),
    });
    expect(only({ effects: [asked("/run/docker.sock")] }, ["/run/**"])?.status).toBe("pass");
  });

  test("rejects patterns inside the workspace", () => {
    const check = checks.find(({ id }) => id === "scope.only_paths");
    expect(check?.refuse?.({ paths: ["**"], outside: ["tmp/**"] })).toContain("begin with /");
    expect(check?.refuse?.({ paths: ["**"], outside: ["/tmp/**"], workspace_only: true })).toContain("not both");
  });
});

describe("scope.no_network", () => {
  const none = (given: Given, options: CheckOptions = {}, isSeen = true) => judge("scope.no_network", evidence(given, isSeen), options);

  test("passes if every connection was seen and no command made one", () => {
    expect(none({})?.status).toBe("pass");
    expect(none({ gaps: ["mounts", "unresolved-path"] })?.status).toBe("pass");
    expect(none({ effects: [wrote("/tmp/a"), spoke("1.2.3.4:443", "other", "agent")] })).toMatchObject({
      status: "pass",
      message: expect.stringContaining("The agent itself contacted 1.2.3.4:443, which this check allows."),
      evidence: [{ excerpt: "1.2.3.4:443: connect by the agent (process 7)", line: 2 }],
    });
    expect(none({}, {}, false)).toMatchObject({ status: "unknown", message: expect.stringContaining("connections were not traced") });
  });

  test("fails if a command contacted another machine; with `agent`, also if the agent did", () => {
    const verdict = none({ effects: [spoke("1.2.3.4:443", "other")] });
    expect(verdict).toMatchObject({ status: "fail", evidence: [{ excerpt: "1.2.3.4:443: connect by tool --do (process 7)" }] });
    expect(none({ effects: [spoke("1.2.3.4:443", "other", "agent")] }, { agent: true })?.status).toBe("fail");
    expect(none({ effects: [spoke("1.2.3.4:443", "other", "agent")] }, { agent: true, allow: ["1.2.3.4:443"] })?.status).toBe("pass");
    expect(none({ effects: [spoke("[2001:db8::1]:443", "other")] }, { allow: ["[2001:db8:*]:*"] })?.status).toBe("pass");
  });

  test("is unknown if another process may have made the connection, or not all were seen", () => {
    expect(none({ effects: [spoke("127.0.0.1:3128", "loopback")] })?.status).toBe("unknown");
    expect(none({ effects: [spoke("127.0.0.1:3128", "loopback")] }, { allow: ["127.0.0.1:*"] })?.status).toBe("pass");
    expect(none({ effects: [asked("/run/proxy.sock")] })?.status).toBe("unknown");
    expect(none({ effects: [asked("/run/proxy.sock")] }, { allow: ["/run/proxy.sock"] })?.status).toBe("pass");
    expect(none({ gaps: ["io-uring"] })?.status).toBe("unknown");
  });

  test("rejects host names, which a trace does not show", () => {
    const check = checks.find(({ id }) => id === "scope.no_network");
    expect(check?.refuse?.({ allow: ["api.example.com:443"] })).toContain("not seen");
    expect(check?.refuse?.({ allow: ["127.0.0.1:*", "[::1]:80", "/run/x", "@x"], agent: false })).toBeUndefined();
  });
});

test("a log with an invalid line is not read", () => {
  const line = JSON.stringify(wrote("/tmp/a"));
  expect(effectsIn(`${line}\n${line}\n`)).toHaveLength(2);
  expect(effectsIn(`${line}\n{}\n`)).toBeUndefined();
  expect(effectsIn(`${line}\n{`)).toBeUndefined();
});
