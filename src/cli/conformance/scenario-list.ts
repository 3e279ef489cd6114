import { join } from "node:path";
import { pins } from "../../conformance/agents/index.ts";
import { corpus } from "../../conformance/corpus.ts";
import { packageRoot } from "../package-root.ts";

/** The names of the scenarios, and what they are about. */
export function scenarioList(): readonly (readonly [name: string, about: string])[] {
  return corpus(join(packageRoot(), "scenarios"), pins).map(({ name, about }) => [name, about]);
}
