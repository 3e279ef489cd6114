import { dirname } from "node:path";
import { graderWalls } from "../../../host/isolation/index.ts";
import { type Launcher, moduleLoader } from "../../../host/process/index.ts";
import type { PreparedGrader } from "../trial/index.ts";
import { cutLinks } from "./cut-links.ts";

export interface GraderPlace {
  /** The base of the graders' paths. */
  readonly directory: string;
  /** Recordings and the workspaces of other trials, the data set, references, results. */
  readonly hidden: readonly string[];
}

/**
 * The grader, with its programs in their own walls: the agent's namespace is gone, and what the agent wrote can change only the
 * workspace, which is thrown away. Graders of one trial share it, so that one can build what the next one tests.
 */
export function walledGrader(grader: PreparedGrader, { directory, hidden }: GraderPlace): PreparedGrader {
  return {
    ...grader,
    async grade(input, signal) {
      const { answers = [] } = grader;
      const files = (grader.files ?? []).filter((file) => !answers.includes(file));
      const near = files.map((file) => dirname(file)); // a module may load a file next to it by a name that it computes
      if (input.cwd !== undefined) cutLinks(input.cwd, grader.files ?? []);
      const walls = graderWalls({
        workspace: input.cwd,
        hidden: [...hidden, ...answers].filter((path) => !files.includes(path)),
        readable: [directory, moduleLoader(), ...files, ...near],
      });
      let isUsed = false;
      const launcher: Launcher = {
        id: walls.launcher.id,
        launch(program) {
          isUsed = true;
          return walls.launcher.launch(program);
        },
      };
      try {
        const graded = await grader.grade(input, signal, launcher);
        return isUsed ? { ...graded, gradedIn: walls.missing === undefined ? "walls" : "no walls" } : graded;
      } finally {
        walls.close();
      }
    },
  };
}
