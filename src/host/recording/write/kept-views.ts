import { join } from "node:path";
import type { View } from "../../../pure/pipeline/index.ts";
import { activity, stream, views } from "../../../pure/views/index.ts";
import type { RunManifest } from "../format/index.ts";

/** A view that is written while a run is recorded, completed after a crash, sealed and verified. */
export interface KeptView {
  readonly view: View;
  /** What the seal calls its file; it says where the file is. */
  readonly file: string;
}

const SESSION = "session.ndjson";
const OUTSIDE = "out/";

/** What every run keeps. */
export const usualViews: readonly KeptView[] = [
  { view: activity, file: "events.jsonl" },
  { view: stream, file: SESSION },
];

/** One that is kept outside the run, where its agent can reach it. */
export function outsideView(view: View, name: string): KeptView {
  return { view, file: `${OUTSIDE}${name}` };
}

/** What a run keeps, by its description. A view that this version does not know is left as it is. */
export function keptViewsOf({ observed }: RunManifest): readonly KeptView[] {
  const known: Readonly<Record<string, View>> = views;
  const outside = Object.entries(observed?.views ?? (observed && BEFORE_THEY_WERE_NAMED) ?? {});
  return [
    ...usualViews,
    ...outside.flatMap(([name, id]) => (known[id] !== undefined && Object.hasOwn(known, id) ? [outsideView(known[id], name)] : [])),
  ];
}

/** What runs kept outside whose description does not say it. */
const BEFORE_THEY_WERE_NAMED: Readonly<Record<string, string>> = { "events.jsonl": "decision" };

/** What the description of a run says of those that are kept outside. */
export function namedOutside(kept: readonly KeptView[]): Readonly<Record<string, string>> {
  return Object.fromEntries(kept.filter(isOutside).map(({ view, file }) => [file.slice(OUTSIDE.length), view.id]));
}

export function isOutside({ file }: Pick<KeptView, "file">): boolean {
  return file.startsWith(OUTSIDE);
}

/** Undefined for a file outside where there is no such place any more. */
export function keptPath(
  { file }: Pick<KeptView, "file">,
  { directory, session, out }: { readonly directory: string; readonly session: string; readonly out: string | undefined },
): string | undefined {
  if (file === SESSION) return session;
  if (!isOutside({ file })) return join(directory, file);
  return out === undefined ? undefined : outsidePath({ file }, out);
}

export function outsidePath({ file }: Pick<KeptView, "file">, out: string): string {
  return join(out, file.slice(OUTSIDE.length));
}
