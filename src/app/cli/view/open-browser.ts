import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveText, say } from "../../terminal/index.ts";

/**
 * Opens the address by a private file that leads there: the arguments of a program are visible to every user of this machine. If there is
 * no browser, the address on the screen is enough. Returns a function that removes the file.
 */
export function openBrowser(address: string): () => void {
  const directory = mkdtempSync(join(tmpdir(), "harness-view-"));
  const file = join(directory, "open.html");
  saveText(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">harness</a>\n`,
  );
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  spawn(program, [file], { stdio: "ignore", detached: true })
    .on("error", () => say("open the address above in a browser"))
    .unref();
  return () => rmSync(directory, { recursive: true, force: true });
}
