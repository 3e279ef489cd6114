import { join } from "node:path";
import { pins } from "../../../work/conformance/agents/index.ts";
import { corpus } from "../../../work/conformance/corpus.ts";
import { packageRoot } from "../options/package-root.ts";

/** The names of the scenarios, and what they are about. */
export function scenarioList(): readonly (readonly [name: string, about: string])[] {
  return corpus(join(packageRoot(), "scenarios"), pins).map(({ name, about }) => [name, about]);
}
