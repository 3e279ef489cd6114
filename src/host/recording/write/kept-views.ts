import { join } from "node:path";
import type { View } from "../../../pure/pipeline/index.ts";
import { activity, stream, unnamedOutside, views } from "../../../pure/views/index.ts";
import type { RunManifest } from "../format/index.ts";

/** A view that is written during a run, completed after a crash, sealed and verified. */
export interface KeptView {
  readonly view: View;
  /** The file's name in the seal, which also says where the file is. */
  readonly file: string;
}

const SESSION = "session.ndjson";
const OUTSIDE = "out/";

/** The views that every run keeps. */
export const usualViews: readonly KeptView[] = [
  { view: activity, file: "events.jsonl" },
  { view: stream, file: SESSION },
];

/** A view kept outside the run, where the agent can reach it. */
export function outsideView(view: View, name: string): KeptView {
  return { view, file: `${OUTSIDE}${name}` };
}

/** The views a run keeps, by its run.json. A view that this version does not know is left unchanged. */
export function keptViewsOf({ observed }: RunManifest): readonly KeptView[] {
  const known: Readonly<Record<string, View>> = views;
  const outside = Object.entries(observed?.views ?? (observed && unnamedOutside) ?? {});
  return [
    ...usualViews,
    ...outside.flatMap(([name, id]) => (known[id] !== undefined && Object.hasOwn(known, id) ? [outsideView(known[id], name)] : [])),
  ];
}

/** The outside views, for run.json. */
export function namedOutside(kept: readonly KeptView[]): Readonly<Record<string, string>> {
  return Object.fromEntries(kept.filter(isOutside).map(({ view, file }) => [file.slice(OUTSIDE.length), view.id]));
}

export function isOutside({ file }: Pick<KeptView, "file">): boolean {
  return file.startsWith(OUTSIDE);
}

/** Undefined for an outside file if that directory no longer exists. */
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
