import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { pi } from "./pi.ts";

export const piNew: Pin = {
  ...pi,
  package: "@earendil-works/pi-coding-agent",
  version: "1.5.0",
  label: "pi 1.5.0",
  megabytes: 30,
  /** Our agent is `pi` either way; only the corpus distinguishes the two, by the suffix of a fixture's name too. */
  agent: "pi",
  ending: "-new",
  majors: [1],
  node: 22,
  /** Unpacked, not installed: the program needs none of its dependencies, and the registry lacks one of them. */
  isBundle: true,
  binary: (folder) => [join(folder, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js")].find(existsSync),
};
