import type { RunManifest } from "../../host/recording/index.ts";

/** What is written down of a run, for others to see: the names of its secrets are left, what finds them and its processes is not. */
export type RunAbout = Omit<RunManifest, "secrets" | "cookie"> & { readonly secrets: readonly string[] };

export function runAbout({ secrets, cookie: _, ...rest }: RunManifest): RunAbout {
  return { ...rest, secrets: secrets.names };
}
