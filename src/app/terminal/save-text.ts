import { hideSecrets } from "../../host/secrets/index.ts";
import { writeFile } from "../../host/sink/index.ts";
import { rendered } from "./sequences.ts";

/** Writes a file for the user, without secrets. */
export function saveText(file: string | number, text: string, options: { readonly flag?: "a" } = {}): void {
  writeFile(file, rendered(hideSecrets(text), false), options);
}
