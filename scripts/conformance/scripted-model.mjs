// The scripted model, as users start it: `harness model`, one server per run, so that every run has its own ledger.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { cli } from "./cli.mjs";

export async function scriptedModel(file) {
  const child = spawn(process.execPath, [cli, "model", file], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const ledger = [];
  let complaint = "";
  child.stderr.on("data", (data) => {
    complaint += data;
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.on("line", (entry) => ledger.push(JSON.parse(entry)));
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(complaint.trim() || "the scripted model ended")));
  });
  /** How much of the ledger is of requests made before this one, which is in it when they are. */
  const served = async () => {
    const before = ledger.length;
    await fetch(`${url}/v1/models`).then((answer) => answer.text());
    while (!ledger.slice(before).some(({ kind }) => kind === "other")) await once(lines, "line");
    return ledger.length;
  };
  /** The ledger is complete when the server is gone. */
  const close = async () => {
    child.kill("SIGTERM");
    const [code] = await ended;
    if (code !== 0) throw new Error(`the scripted model ended with ${code}: ${complaint.trim()}`);
    return ledger;
  };
  return { url, served, close };
}
