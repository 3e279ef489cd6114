import { masked, type Safe } from "../sink/index.ts";
import type { FindSecrets } from "./find-forms.ts";
import { masker } from "./masker.ts";

/** Whole contents with secrets overwritten, and how many places that were. */
export function maskBytes(bytes: Buffer, find: FindSecrets): { readonly bytes: Safe<Buffer>; readonly masked: number } {
  if (find.longest === 0) return { bytes: masked(bytes), masked: 0 };
  const secrets = masker(find);
  const pieces = [secrets.push(bytes).bytes, secrets.end().bytes];
  return { bytes: masked(secrets.count === 0 ? bytes : Buffer.concat(pieces)), masked: secrets.count };
}
