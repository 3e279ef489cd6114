import { accessSync, constants } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { leadsTo } from "./leads-to.ts";

/** The other names of a program: what the file that it names, here or on PATH, is a link to. */
export function linkedNames(name: string, directories: readonly string[], path = process.env["PATH"] ?? ""): readonly string[] {
  const files = name.includes("/")
    ? directories.map((directory) => resolve(directory, name))
    : path
        .split(delimiter)
        .map((directory) => join(directory, name))
        .filter(isProgram)
        .slice(0, 1);
  const names = files.flatMap((file) => leadsTo(file, "/").places.map((place) => basename(place)));
  return [...new Set(names)].filter((each) => each !== basename(name));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
