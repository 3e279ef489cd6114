import { cpSync } from "node:fs";

/** Lays the files of one of our own directories over those of another; neither is a stranger's. */
export function overlay(from: string, onto: string): void {
  cpSync(from, onto, { recursive: true, force: true, verbatimSymlinks: true });
}
