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
  /** It is `pi` for us; only the corpus tells the two apart, by the ending of a fixture's name too. */
  agent: "pi",
  ending: "-new",
  majors: [1],
  node: 22,
  /** Its program needs none of its dependencies, one of which the registry does not have: it is unpacked, not installed. */
  isBundle: true,
  binary: (folder) => [join(folder, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js")].find(existsSync),
};
