import type { Argument } from "./argument.ts";

/** Removes a wrapper's own arguments. `undefined`: an unknown way to use it. */
type Unwrap = (args: readonly Argument[]) => readonly Argument[] | undefined;

/** Programs that run another one without changing what it does. Not sudo: it changes whose files are meant. */
export const WRAPPERS: ReadonlyMap<string, Unwrap> = new Map<string, Unwrap>([
  ["command", plain],
  ["builtin", plain],
  ["env", env],
  ["nice", nice],
  ["timeout", timeout],
]);

/** `command -v cat` only asks where cat is. */
function plain(args: readonly Argument[]) {
  if (args[0]?.value === "--") return args.slice(1);
  return args[0]?.value.startsWith("-") ? undefined : args;
}

function env(args: readonly Argument[]) {
  const from = args.findIndex(({ value }) => !/^\w+=/.test(value));
  return from === -1 ? undefined : plain(args.slice(from));
}

function nice(args: readonly Argument[]) {
  const first = args[0]?.value ?? "";
  if (first === "-n") return args.slice(2);
  return plain(/^(?:-n?-?\d+|--adjustment=-?\d+)$/.test(first) ? args.slice(1) : args);
}

function timeout(args: readonly Argument[]) {
  let at = 0;
  while (args[at]?.value.startsWith("-")) at += /^(?:-[ks]|--kill-after|--signal)$/.test(args[at]?.value ?? "") ? 2 : 1;
  return /^\d+(?:\.\d+)?[smhd]?$/.test(args[at]?.value ?? "") ? args.slice(at + 1) : undefined;
}
