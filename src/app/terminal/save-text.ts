import { writeFileSync } from "node:fs";
import { hideSecrets } from "../../host/secrets/index.ts";
import { rendered } from "./sequences.ts";

/** Writes a file for the user, without secrets. */
export function saveText(file: string | number, text: string, options: { readonly flag?: "a" } = {}): void {
  writeFileSync(file, rendered(hideSecrets(text), false), options);
}
