// Grades a case with checks/<id>.mjs. The agent's code runs only in separate processes (subject.mjs). They send answers, and the check
// compares the answers here, so nothing that the code prints, exits with or leaves in a file can become a verdict.
import { AssertionError } from "node:assert/strict";
import { execFile, fork } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** For the whole check, and below the grader's own limit: code that hangs fails the case instead of breaking the grader. */
const deadline = Date.now() + 120_000;
const timeLeft = () => Math.max(1, deadline - Date.now());

/** The agent's code gave no answer, or one that the check cannot read: it fails. Other errors are the machine's. */
class NoAnswer extends Error {}

export async function grade({ id, cwd }) {
  const { check } = await import(new URL(`checks/${encodeURIComponent(id)}.mjs`, import.meta.url).href);
  try {
    await check({
      ask: (file, question, ...args) => ask(join(cwd, file), question, args, cwd),
      run: (file, args = [], stdin = "") => run(join(cwd, file), args, stdin, cwd),
      read: (file) => readFile(join(cwd, file), "utf8").catch((error) => Promise.reject(new NoAnswer(error.message))),
      write: async (file, text) => {
        await rm(join(cwd, file), { recursive: true, force: true }); // the agent may have left a link to a place outside
        await writeFile(join(cwd, file), text);
      },
    });
    return { pass: true, score: 1, reasoning: "all checks hold" };
  } catch (error) {
    if (![AssertionError, NoAnswer, SyntaxError, TypeError].some((kind) => error instanceof kind)) throw error;
    return { pass: false, score: 0, reasoning: error.message };
  }
}

/** Runs a function on the module in a separate process. The answer is data: a structured clone. */
function ask(file, question, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = fork(new URL("subject.mjs", import.meta.url), { cwd, env: {}, execArgv: [], serialization: "advanced", stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeLeft());
    child.once("message", ({ value, error }) => (error === undefined ? resolve(value) : reject(new NoAnswer(error))));
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      reject(new NoAnswer(`the module gave no answer, and ended with ${signal ?? `code ${code}`}`));
    });
    child.send({ url: pathToFileURL(file).href, question: String(question), args }, () => {});
  });
}

/** A program's output and exit code. */
function run(file, args, stdin, cwd) {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { cwd, env: {}, timeout: timeLeft(), killSignal: "SIGKILL" },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
    child.stdin.on("error", () => {}); // it may not read to the end
    child.stdin.end(stdin);
  });
}
