import { type Classification, classify } from "./classify.ts";

/** Agents run the same few commands again and again; a longer one is hardly ever the same twice. */
const REMEMBERED = 512;
const LONGEST_REMEMBERED = 1024;

/** `classify` with a memory of its own: the same answers, without parsing `git status` for the hundredth time. */
export function classifier(): typeof classify {
  const known = new Map<string, Classification>();
  let place: string | undefined;

  return (command, cwd) => {
    if (command.length > LONGEST_REMEMBERED) return classify(command, cwd);
    if (cwd !== place || known.size >= REMEMBERED) {
      known.clear();
      place = cwd;
    }
    let answer = known.get(command);
    if (answer === undefined) {
      answer = classify(command, cwd);
      known.set(command, answer);
    }
    return answer;
  };
}
