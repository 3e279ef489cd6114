import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * Cases 25, 35 and 36: memory does not grow with the length of a line, the amount of stderr or the slowness of a reader. Measured on the
 * built library in a separate process, with streams that are generated while they are read.
 */

const DIST = join(import.meta.dirname, "../../../dist/index.js");
const LIMIT_MB = 150;

/** Linux passes the parent's `ru_maxrss` on through fork and exec, so this reads the kernel's count for the process itself. */
const PEAK_RSS_MB = `(() => {
  try { return Number(/VmHWM:\\s+(\\d+) kB/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]) / 1024; }
  catch { return process.resourceUsage().maxRSS / 1024; }
})()`;

function measure<T>(program: string): T & { rss: number } {
  const script = `import fs from "node:fs";
    import { derive } from ${JSON.stringify(DIST)};
    const MB = 1024 * 1024;
    async function* repeat(piece, times, tail = "") {
      const bytes = Buffer.from(piece);
      for (let i = 0; i < times; i++) yield bytes;
      yield Buffer.from(tail);
    }
    const answer = await (async () => { ${program} })();
    console.log(JSON.stringify({ ...answer, rss: ${PEAK_RSS_MB} }));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 300_000,
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.each([17, 200, 600])("case 25: one line of %i MB is one unknown with its position, and the stream continues", (megabytes) => {
  const { events, rss } = measure<{ events: { type: string }[] }>(`
    const source = repeat("x".repeat(MB), ${megabytes}, '\\n{"type":"turn.started"}\\n{"type":"odd"}\\n');
    const events = [];
    for await (const event of derive(source, { agent: "codex", view: "log" })) events.push(event);
    return { events };`);
  expect(events.slice(1, -1)).toMatchObject([
    { type: "unknown", oversize: true, from: [{ offset: 0, length: megabytes * 1024 * 1024 }] },
    { type: "unknown", raw: { type: "odd" }, from: [{ offset: megabytes * 1024 * 1024 + 25 }] },
  ]);
  expect(rss).toBeLessThan(LIMIT_MB);
});

test("case 35: a slow reader fills no memory, and a reader that stops early leaves nothing open", () => {
  const { count, closed, rss } = measure<{ count: number; closed: boolean }>(`
    let closed = false;
    async function* source() {
      try { yield* repeat('{"type":"odd","padding":"' + "x".repeat(1000) + '"}\\n', 400_000); } finally { closed = true; }
    }
    let count = 0;
    for await (const event of derive(source(), { agent: "codex", view: "activity" })) {
      count++;
      if (count % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (count === 300_000) break;
    }
    return { count, closed };`);
  expect(count).toBe(300_000);
  expect(closed).toBe(true);
  expect(rss).toBeLessThan(LIMIT_MB);
});

test("case 36: a flood of stderr is reported as its head, its tail and a count", () => {
  const { codes, last, rss } = measure<{ codes: [string, number][]; last: string[] }>(`
    const stderr = repeat("some complaint of a hundred characters that repeats itself over and over and over and over again\\n".repeat(1000), 5000, "the last line\\n");
    const codes = new Map(); const last = [];
    for await (const { type, message, code = type } of derive(Buffer.from(""), { agent: "codex", view: "activity", stderr, exitCode: 1 })) {
      codes.set(code, (codes.get(code) ?? 0) + 1);
      last.push(message); if (last.length > 3) last.shift();
    }
    return { codes: [...codes], last };`);
  expect(codes).toEqual([
    ["warning", 1020],
    ["stderr-capped", 1],
    ["process_error", 1],
  ]);
  expect(last[1]).toBe("the last line");
  expect(last[2]).toContain("the last line");
  expect(rss).toBeLessThan(LIMIT_MB);
});

/** Live memory after a collection, while 5 MB of text are produced. The peak would also depend on when memory was collected. */
const HELD_MB = 60;

/** 76 lines of 190 MB hold 5 MB of text, because each repeats everything before it. */
const RESTATED = {
  "Cline's accumulated text": {
    agent: "cline",
    lines: 76,
    head: '{"type":"agent_event","event":{"type":"content_start","contentType":"text","text":"PIECE","accumulated":"',
    tail: '"}}\n',
    end: '{"type":"agent_event","event":{"type":"content_end","contentType":"text"}}\n',
  },
  "Cline's accumulated text, without the new piece": {
    agent: "cline",
    lines: 76,
    head: '{"type":"agent_event","event":{"type":"content_start","contentType":"text","accumulated":"',
    tail: '"}}\n',
    end: '{"type":"agent_event","event":{"type":"content_end","contentType":"text"}}\n',
  },
  "the partial messages of Cline before 3.0": {
    agent: "cline",
    lines: 76,
    head: '{"ts":1,"type":"say","say":"text","partial":true,"text":"',
    tail: '"}\n',
    end: "",
  },
  "Pi's snapshots": {
    agent: "pi",
    lines: 76,
    head: '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"PIECE"},"message":{"role":"assistant","content":[{"type":"text","text":"',
    tail: '"}]}}\n',
    end: "",
  },
};

test.each(Object.entries(RESTATED))(
  "%s: text that every line repeats is reported once and not kept",
  (_, { agent, lines, head, tail, end }) => {
    const { bytes, held, said, reported } = measure<{ bytes: number; held: number; said: number; reported: Record<string, number> }>(`
    const PIECE = 64 * 1024, LINES = ${lines};
    const piece = "x".repeat(PIECE);
    const head = Buffer.from(${JSON.stringify(head)}.replace("PIECE", piece));
    const tail = Buffer.from(${JSON.stringify(tail)});
    const text = Buffer.alloc(PIECE * LINES, "x");
    let bytes = 0, held = 0;
    async function* source() {
      for (let line = 1; line <= LINES; line++) {
        yield head;
        for (let at = 0; at < line * PIECE; at += PIECE) yield text.subarray(at, at + PIECE);
        yield tail;
        bytes += head.length + line * PIECE + tail.length;
        gc();
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        held = Math.max(held, (heapUsed + arrayBuffers) / MB);
      }
      yield Buffer.from(${JSON.stringify(end)});
    }
    const reported = {};
    for await (const { type, text } of derive(source(), { agent: ${JSON.stringify(agent)}, view: "log" })) {
      if (text !== undefined) reported[type] = (reported[type] ?? 0) + text.length;
    }
    return { bytes, held, said: LINES * PIECE, reported };`);
    expect(bytes).toBeGreaterThan(25 * said);
    expect(reported).toEqual(end === "" ? { "text-delta": said } : { "text-delta": said, message: said });
    expect(held).toBeLessThan(HELD_MB);
  },
);
