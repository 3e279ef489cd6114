import { spawn } from "node:child_process";

/** Runs Node with these arguments and discards stdout. Returns the wall time and the report from descriptor 3. */
export function run(args, env = process.env) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "pipe"], env });
    const stop = () => child.kill("SIGKILL");
    process.once("exit", stop);
    let ms = 0;
    let text = "";
    child.stdio[3].setEncoding("utf8").on("data", (piece) => (text += piece));
    child.once("error", reject);
    child.once("exit", () => (ms = performance.now() - started));
    child.once("close", (code, signal) => {
      process.off("exit", stop);
      if (code === 0) resolve({ ms, report: text === "" ? {} : JSON.parse(text) });
      else reject(new Error(`node ${args.join(" ")} ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}
