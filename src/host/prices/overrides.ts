import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { flawOf, HarnessError, nullable, number, object, parseObject, type Static, valuesOf } from "../../pure/base/index.ts";
import { makeDirectories, writeAtomically } from "../files/index.ts";
import { hideSecretsIn } from "../secrets/index.ts";
import { json, own } from "../sink/index.ts";

const override = object({ input: number, cacheRead: nullable(number), cacheWrite: nullable(number), output: number });
/** Your own rates of a model, in US dollars per million tokens. Without a rate for the cache, that of the input holds. */
export type Override = Static<typeof override>;

type Environment = Readonly<Record<string, string | undefined>>;

function fileIn(env: Environment): string {
  return join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "harness", "prices.json");
}

/** Your own rates, by model. Throws if the file is not valid: a wrong price is worse than none. */
export function overridesIn(env: Environment): ReadonlyMap<string, Override> {
  const file = fileIn(env);
  if (!existsSync(file)) return new Map();
  const value = parseObject(readFileSync(file, "utf8"));
  const flaw = value === undefined ? [] : flawOf(valuesOf(override), value, { strict: true });
  if (value === undefined || flaw !== undefined)
    throw new HarnessError("input", `${file} is not valid${flaw?.length ? ` at ${flaw.join(".")}` : ""}. Correct or remove it.`);
  return new Map(Object.entries(value as Record<string, Override>));
}

/** Sets your own rates of a model, or removes them if there are none. Returns the file. */
export function setOverride(model: string, rates: Override | undefined, env: Environment): string {
  const all = new Map(overridesIn(env));
  if (rates === undefined) all.delete(model);
  else all.set(model, rates);
  const file = fileIn(env);
  makeDirectories(dirname(file), 0o700);
  writeAtomically(file, own`${json(hideSecretsIn(Object.fromEntries(all)))}\n`);
  return file;
}
