import { type FindSecrets, masker } from "./masker.ts";

export function maskText(text: string, find: FindSecrets): string {
  if (find.longest === 0) return text;
  const secrets = masker(find);
  return Buffer.concat([secrets.push(Buffer.from(text)).bytes, secrets.end().bytes]).toString();
}
