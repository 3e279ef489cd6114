import type { Changed } from "./tasks.ts";

/** One answer of the scripted model. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly input: object | string }[];
  readonly fault?: object;
}

/** A mistake that models make before they solve a task, and what the agent must say about it. */
export interface Mistake {
  readonly name: string;
  /** `other` is a file of the workspace that the solution does not change. */
  readonly turns: (file: Changed, other: string) => readonly ScriptedTurn[];
  /** In the results of its calls, or in the errors of the run. */
  readonly says: RegExp;
  /** Only with this protocol. */
  readonly model?: string;
}

const call = (name: string, input: object | string) => ({ name, input });
const turn = (...tools: readonly ReturnType<typeof call>[]): ScriptedTurn => ({ tools });
const patch = (...lines: readonly string[]) =>
  call("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

export const mistakes: readonly Mistake[] = [
  {
    name: "an edit of a passage that is not there",
    turns: ({ path }, other) => [turn(call("read", { path: other }), call("edit", { path, before: "function nowhere() {}", after: "x" }))],
    says: /has no passage|does not contain|not (in|found)|No such file|does not exist|has no/i,
  },
  {
    name: "a patch with a wrong anchor",
    turns: ({ path }) => [turn(patch(`*** Update File: ${path}`, "@@ function nowhere() {", "-  return 0;", "+  return 1;"))],
    says: /has no line|does not exist|no such/i,
  },
  {
    name: "a patch of two files, of which one does not fit: neither changes",
    turns: ({ path }) => [
      turn(patch("*** Add File: extra.txt", "+extra", `*** Update File: ${path}`, "@@", "-a line that is not there", "+x")),
    ],
    says: /does not contain|does not exist|no such/i,
  },
  {
    name: "a file that is replaced unread",
    turns: (_, other) => [turn(call("write", { path: other, content: "{}" }))],
    says: /read|overwrite/i,
  },
  {
    name: "a stale read: the file changed after it was read",
    turns: (_, other) => [
      turn(call("shell", { command: `cp ${other} kept.tmp` }), call("read", { path: other })),
      turn(call("shell", { command: `echo >> ${other}` })),
      turn(call("write", { path: other, content: "{}" })),
      turn(call("shell", { command: `mv kept.tmp ${other}` })),
    ],
    says: /changed|read it/i,
  },
  {
    name: "arguments that are not JSON",
    turns: ({ path }) => [turn(call("read", `{"path": "${path}", `))],
    says: /The arguments are not valid JSON/,
    model: "openrouter/scripted/one",
  },
  {
    name: "a tool that does not exist",
    turns: ({ path }) => [turn(call("str_replace_editor", { path }))],
    says: /Unknown tool str_replace_editor\. Available tools: read,/,
  },
  {
    name: "arguments of a different agent",
    turns: ({ path }) => [turn(call("read", { file_path: path, start_line: 1 }))],
    says: /It takes path, offset, limit/,
  },
  {
    name: "a huge output",
    turns: () => [turn(call("shell", { command: "seq 1 300000; echo THE-END" }))],
    says: /characters left out\)[\s\S]*THE-END/,
  },
  {
    name: "a loop: the same failing call five times",
    turns: () => Array.from({ length: 5 }, () => turn(call("read", { path: "no/such/file" }))),
    says: /no\/such\/file/,
  },
  {
    name: "a path outside the workspace",
    turns: () => [turn(call("read", { path: "../../../../etc/passwd" }), call("write", { path: "/etc/harness-was-here", content: "x" }))],
    says: /outside/i,
  },
  {
    name: "a command that fails",
    turns: () => [turn(call("shell", { command: "node no-such-script.mjs" }))],
    says: /It ended with exit code 1\./,
  },
  { name: "a command that does not parse", turns: () => [turn(call("shell", { command: "if true; then" }))], says: /syntax error/ },
  {
    name: "a directory that it forgot: the tools for files still start at the root",
    turns: () => [
      turn(call("shell", { command: "mkdir scratch && cd scratch" })),
      turn(call("shell", { command: "cd .. && rmdir scratch" })),
    ],
    says: /\(now in scratch\)[\s\S]*\(now in the workspace\)/,
  },
  {
    name: "a half-written file, written again",
    turns: ({ path, before, after }) => [
      turn(...(before === undefined ? [] : [call("read", { path })]), call("write", { path, content: after.slice(0, after.length / 2) })),
    ],
    says: /\w/,
  },
  {
    name: "two edits of one line in one turn, the second of which needs the first",
    turns: () => [
      turn(call("write", { path: "scratch.txt", content: "one\n" })),
      turn(
        call("edit", { path: "scratch.txt", before: "one", after: "two" }),
        call("edit", { path: "scratch.txt", before: "two", after: "three" }),
        call("shell", { command: "cat scratch.txt; rm scratch.txt" }),
      ),
    ],
    says: /three/,
  },
  {
    name: "two parts of a patch for one file",
    turns: () => [
      turn(call("write", { path: "scratch.txt", content: "a\nb\n" })),
      turn(
        patch("*** Update File: scratch.txt", "@@", "-a", "+A", "*** Update File: scratch.txt", "@@", "-b", "+B"),
        call("shell", { command: "cat scratch.txt; rm scratch.txt" }),
      ),
    ],
    says: /A\nB/,
  },
  {
    name: "a server that it forgot",
    turns: () => [turn(call("shell", { command: "sleep 1000", background: true }))],
    says: /runs in the background as job-1/,
  },
  {
    name: "a provider that is overloaded twice",
    turns: () => [{ text: "Hm.", ...turn(call("list", {})), fault: { status: 529, headers: { "retry-after-ms": 1 }, times: 2 } }],
    says: /Asking again in/,
  },
  {
    name: "an answer that breaks off",
    turns: () => [{ text: "Let me look at this.", ...turn(call("list", {})), fault: { cut: "mid-text", times: 1 } }],
    says: /Asking again in/,
  },
];
