import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { HarnessError, isObject, type JsonObject, parseJson } from "../../../pure/base/index.ts";
import type { SettingsOverlay } from "../../../pure/pipeline/index.ts";
import { forProgram, writeFile } from "../../sink/index.ts";

/** An overlay, and the home that it lies over. */
export interface PlannedOverlay extends SettingsOverlay {
  readonly from: string;
}

/** Sets the home in the agent's variables, whatever they said. Rejects a workspace whose own settings would win. */
export function planOverlay(
  overlay: SettingsOverlay,
  cwd: string,
  set: Map<string, string | undefined>,
  parent: NodeJS.ProcessEnv,
): PlannedOverlay {
  const { variable, home, folder, file, guarded } = overlay;
  const from = set.get(variable) ?? parent[variable] ?? set.get("HOME") ?? parent["HOME"] ?? "/";
  set.set(variable, home);
  const own = settingsIn(join(cwd, folder, file));
  const found = guarded.find((key) => Object.hasOwn(own, key));
  if (found !== undefined)
    throw new HarnessError(
      "usage",
      `The workspace's ${folder}/${file} sets ${found}, which could turn off the decisions of this run. Remove it.`,
      { option: "cwd" },
    );
  return { ...overlay, from };
}

/** Writes the settings into the new home, and links all other files. */
export function layOver({ home, folder, file, from, merged }: PlannedOverlay): void {
  const [real, other] = [join(from, folder), join(home, folder)];
  const settings = merged(settingsIn(join(real, file)));
  mkdirSync(join(real, "tmp"), { recursive: true }); // sessions stay in the user's home
  mkdirSync(other, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(real)) if (name !== file) symlinkSync(join(real, name), join(other, name));
  writeFile(join(other, file), forProgram(JSON.stringify(settings)), { mode: 0o600 });
}

function settingsIn(path: string): JsonObject {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = parseJson(readFileSync(path, "utf8"));
    if (isObject(value)) return value;
  } catch {
    // comments, for example
  }
  throw new HarnessError("usage", `Cannot read ${path} as JSON, so decisions cannot be added to it. Remove its comments.`);
}
