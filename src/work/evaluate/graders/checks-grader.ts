import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { HarnessError, shellLine } from "../../../pure/base/index.ts";
import type { PreparedGrader } from "../trial/index.ts";
import { commandGrader } from "./command-grader.ts";
import { moduleGrader } from "./module-grader.ts";

const MODULE = /^grade\.[cm]?[jt]s$/;
const PROGRAM = /^check(\.\w+)?$/;

/**
 * Grades each case with the checks in its own task folder: `<directory>/<id>/checks/grade.mjs`, a module, or `checks/check.sh`, an executable
 * that runs in the workspace and passes if it exits with 0. An id is only compared with the names of folders.
 */
export function checksGrader(name: string, directory: string, timeoutMs: number): PreparedGrader {
  const root = resolve(directory, name);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new HarnessError("usage", `The grader checks:${name} needs a directory of task folders. Not found: ${root}.`);
  const graders = new Map(
    readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => {
        const found = graderIn(join(root, entry.name, "checks"), timeoutMs);
        return found === undefined ? [] : [[entry.name, found] as const];
      }),
  );
  if (graders.size === 0)
    throw new HarnessError("usage", `No task folder in ${root} has checks. Add checks/check.sh or checks/grade.mjs to one.`);
  return {
    name: `checks:${name}`,
    needsWorkspace: true,
    files: [...graders.values()].flatMap(({ files = [] }) => files),
    async flaw() {
      for (const grader of graders.values()) {
        const flaw = await grader.flaw?.();
        if (flaw !== undefined) return flaw;
      }
      return undefined;
    },
    async grade(input, signal, launcher) {
      const grader = graders.get(input.id);
      return grader === undefined ? { error: `the task ${JSON.stringify(input.id)} has no checks` } : grader.grade(input, signal, launcher);
    },
  };
}

function graderIn(folder: string, timeoutMs: number): PreparedGrader | undefined {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
  const module = names.find((name) => MODULE.test(name));
  if (module !== undefined) return moduleGrader(join(folder, module), join(folder, module), timeoutMs);
  const program = names.find((name) => PROGRAM.test(name));
  if (program === undefined) return undefined;
  const path = join(folder, program);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new HarnessError("usage", `${path} is not executable. Run chmod +x on it.`);
  }
  return { ...commandGrader(shellLine([path]), timeoutMs), files: [folder] };
}
