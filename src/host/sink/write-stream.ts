import type { Writable } from "node:stream";
import type { SafeText } from "./safe.ts";

/** Resolves when the text is written, so that a slow reader slows the program down instead of filling memory. */
export function writeStream(stream: Writable, text: SafeText): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
