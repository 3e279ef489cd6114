import { type Classification, classify } from "./classify.ts";

/** Agents repeat a few short commands in a few directories; long ones hardly ever repeat. */
const REMEMBERED = 512;
const LONGEST_REMEMBERED = 1024;

/** `classify` with its own cache: the same answers, without parsing `git status` for the hundredth time. */
export function classifier(answerTo: typeof classify = classify): typeof classify {
  const places = new Map<string | undefined, Map<string, Classification>>();
  let size = 0;

  function commandsIn(cwd: string | undefined): Map<string, Classification> {
    let known = places.get(cwd);
    if (known === undefined) {
      known = new Map();
      places.set(cwd, known);
    }
    return known;
  }

  return (command, cwd) => {
    if (command.length > LONGEST_REMEMBERED) return answerTo(command, cwd);
    const remembered = places.get(cwd)?.get(command);
    if (remembered !== undefined) return remembered;
    if (size++ >= REMEMBERED) {
      places.clear();
      size = 1;
    }
    const answer = answerTo(command, cwd);
    commandsIn(cwd).set(command, answer);
    return answer;
  };
}

/** For tools that take a working directory: adds it to operations that stay a `command`. */
export function placedClassifier(): typeof classify {
  return classifier((command, workingDirectory) => {
    const found = classify(command, workingDirectory);
    const operations = found.operations.map((each) => (each.kind === "command" ? { ...each, workingDirectory } : each));
    return { ...found, operations };
  });
}
