import type { RunManifest } from "../../host/recording/index.ts";

/** A run's manifest for display: with the names of its secrets, without their fingerprints and the process cookie. */
export type RunAbout = Omit<RunManifest, "secrets" | "cookie"> & { readonly secrets: readonly string[] };

export function runAbout({ secrets, cookie: _, ...rest }: RunManifest): RunAbout {
  return { ...rest, secrets: secrets.names };
}
