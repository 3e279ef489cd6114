import { masked, type SafeText } from "../sink/index.ts";
import type { FindSecrets } from "./find-forms.ts";
import { masker } from "./masker.ts";

export function maskText(text: string, find: FindSecrets): SafeText {
  if (find.longest === 0) return masked(text);
  const secrets = masker(find);
  return masked(Buffer.concat([secrets.push(Buffer.from(text)).bytes, secrets.end().bytes]).toString());
}
