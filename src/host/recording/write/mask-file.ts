import { type FindSecrets, finishMasking } from "../../secrets/index.ts";
import { type FileSeal, openSpool } from "../format/index.ts";

/** Overwrites the secrets in a file that no one writes any more. The result survives a power cut. */
export function maskFile(path: string, find: FindSecrets): { readonly seal: FileSeal; readonly masked: number } {
  const before = finishMasking(path);
  const file = openSpool(path, "stdout", find);
  try {
    while (file.read().length > 0 || file.hasMore());
    file.rest();
    const masked = before + file.masked;
    if (masked > 0) file.syncNow();
    return { seal: file.seal(), masked };
  } finally {
    file.close();
  }
}
