import { createHash } from "node:crypto";
import type { CaptureMode } from "../../pure/events/index.ts";

/** A text in the capture mode: verbatim, only its length, or only its hash. */
export function capturedText(text: string, mode: CaptureMode): string {
  if (mode === "full") return text;
  return mode === "redacted" ? `[redacted: ${text.length} characters]` : `sha256:${sha256(text)}`;
}

/** A command line in the capture mode. Redacted, it keeps its program's name and its flags. */
export function capturedArgv([program = "", ...args]: readonly string[], mode: CaptureMode): readonly string[] {
  if (mode === "full") return [program, ...args];
  if (mode === "hashed") return [];
  return [program.split("/").at(-1) ?? "", ...args.map((arg) => /^--?[A-Za-z0-9-]+$/.exec(arg)?.[0] ?? "[redacted]")];
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
