import type { CommandObservedBody } from "../../events/index.ts";
import { innerCommands, isDryRun, programsIn, scriptOf } from "../../shell/index.ts";
import { nameOf } from "./places.ts";
import type { Clause } from "./sentences.ts";

/** Why these runs do not show what a sentence says of the commands it names: “`npm test` passes” is not shown by `node --test`. */
export function unstartedOf({ commands }: Pick<Clause, "commands">, runs: readonly CommandObservedBody[]): string | undefined {
  const missing = commands.find((text) => {
    const parts = innerCommands(text) ?? [];
    return parts.length === 0 || !parts.every((part) => isStarted(part, runs));
  });
  return missing === undefined ? undefined : `${missing} itself was not seen to pass`;
}

/** Whether the last start of this very command, perhaps with more options, ended well, or in an unknown way. */
function isStarted(part: readonly string[], runs: readonly CommandObservedBody[]): boolean {
  const [name = "", ...rest] = plainly(part);
  const last = runs.findLast(({ argv }) => {
    if (scriptOf(argv) !== undefined || isDryRun(argv)) return false;
    return [argv, ...(/^node(?:js)?$/.test(nameOf(argv[0] ?? "")) ? [argv.slice(1)] : []), ...programsIn(argv)]
      .map(plainly)
      .some(([own, ...args]) => own === name && isWithin(rest, args));
  });
  return last !== undefined && (last.exitCode === 0 || last.exitCode === null);
}

/** `npm run test` is `npm test`, and npm may be a script of node. */
function plainly([name = "", ...args]: readonly string[]): readonly string[] {
  const own = nameOf(name).replace(/-cli\.[cm]?js$/, "");
  return [
    own,
    ...(/^(?:npm|pnpm|yarn|bun)$/.test(own)
      ? args.filter((arg) => !/^run(?:-script)?$/.test(arg)).map((arg) => (/^(?:t|tst)$/.test(arg) ? "test" : arg))
      : args),
  ];
}

function isWithin(words: readonly string[], args: readonly string[]): boolean {
  let at = 0;
  for (const arg of args) if (arg === words[at]) at++;
  return at === words.length;
}
