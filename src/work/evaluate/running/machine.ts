import { arch, cpus, platform, totalmem } from "node:os";
import type { Machine } from "../trial/index.ts";

/** This machine. Its name is not part of it: results are shared. */
export const machine: Machine = {
  platform: platform(),
  arch: arch(),
  cores: cpus().length,
  memoryBytes: totalmem(),
  node: process.versions.node,
};
