import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HarnessError } from "../../../../src/pure/base/errors.ts";

const directories: string[] = [];

export function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "harness-own-"));
  directories.push(path);
  return path;
}

/** A file with this content, in a new directory. */
export function file(name: string, content: string | Buffer): string {
  const path = join(directory(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Removes everything the tests of a file have made. */
export function cleanUp(): void {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** The error message that a call throws. */
export async function sentence(step: () => unknown): Promise<string> {
  try {
    await step();
  } catch (error) {
    if (error instanceof HarnessError) return error.message;
    throw error;
  }
  return "(nothing was thrown)";
}

/** A valid schema, with some fields replaced. */
export function schema(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    version: 1,
    name: "my-agent",
    command: ["my-agent", "exec"],
    sessionMode: "stream",
    prompt: { flag: "-p" },
    output: { flag: "-o", value: "stream-json" },
    outputEvents: [
      { match: { path: "$.type", value: "message" }, emitAs: "message", extract: { content: "$.content" } },
      { match: { path: "$.type", value: "thinking" }, emitAs: "thought", extract: { content: "$.text" } },
      { match: { path: "$.type", value: "tool_use" }, emitAs: "tool_call", extract: { title: "$.name", status: "'pending'" } },
      { match: { path: "$.type", value: "tool_result" }, emitAs: "tool_call", extract: { title: "$.name", status: "$.status" } },
      { match: { path: "$.type", value: "todo" }, emitAs: "plan", extract: { content: "$.items" } },
    ],
    result: { matchPath: "$.type", matchValue: "result", contentPath: "$.content" },
    ...changes,
  };
}
