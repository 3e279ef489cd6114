import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../pure/base/index.ts";

export interface TemplateSource {
  readonly url: string;
  /** A branch, a tag or a commit; HEAD by default. */
  readonly ref: string;
  readonly protocol: "https" | "file";
  /** For messages: without a password. */
  readonly shown: string;
}

/** Reads `https://host/repository@ref`, `file:///path@ref` or `path@ref`. */
export function templateSource(text: string): TemplateSource {
  if (existsSync(text)) return { url: resolve(text), ref: "HEAD", protocol: "file", shown: text };
  const [place, ref] = splitRef(text);
  if (ref !== undefined && !/^[\w][\w./+-]*$/.test(ref))
    throw new HarnessError(
      "usage",
      `"${shownUrl(text)}" does not name a branch, a tag or a commit after the @. Example: https://host/repository@v1.`,
    );
  const common = { ref: ref ?? "HEAD", shown: shownUrl(place) };
  if (/^https:\/\/[^/]+\/./i.test(place)) return { url: place, protocol: "https", ...common };
  const path = place.startsWith("file://")
    ? fileUrl(place)
    : /^[a-z][a-z0-9+.-]*:/i.test(place) || /^[^/]+@[^/]+:/.test(place)
      ? ""
      : place;
  if (path === "")
    throw new HarnessError("usage", `A template must be an https url or a folder, not ${common.shown}. Clone it and pass the folder.`);
  if (!existsSync(path))
    throw new HarnessError(
      "input",
      `Template not found: ${path}.${/(?:^|\/)git \S/.test(path) ? " Leave out the word git." : ""} Pass a folder, a repository's folder, or an https url.`,
    );
  return { url: resolve(path), protocol: "file", ...common };
}

/** Splits at the last @ in the path, not the one in `user@host`. */
function splitRef(text: string): [string, string | undefined] {
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(text)?.[0].length ?? 0;
  const at = text.lastIndexOf("@");
  return at > host && text.lastIndexOf(":", at) < Math.max(host, 1) ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined];
}

function fileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return "";
  }
}

function shownUrl(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
}
