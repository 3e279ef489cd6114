import type { Redirect, Redirection } from "unbash";
import { type Argument, isQuiet, readArgument } from "./argument.ts";

/** A command's standard input, if the command sets it. */
export type Input = { readonly file: Argument } | { readonly text: string };

interface Redirections {
  readonly input: Input | undefined;
  /** Files that receive the output. */
  readonly writes: readonly Argument[];
}

const DEV_NULL = "/dev/null";

/**
 * Reads the redirections of one command. Those that drop or merge streams (`2>/dev/null`, `2>&1`, `</dev/null`) have no effect here.
 * `undefined`: one of them does something not handled here, such as `2> errors.log` or `3<&0`.
 */
export function readRedirections(redirections: readonly Redirection[]): Redirections | undefined {
  let input: Input | undefined;
  const writes: Argument[] = [];
  for (const redirection of redirections) {
    const effect = readRedirection(redirection);
    if (effect === undefined) return undefined;
    if (effect === "harmless") continue;
    if ("write" in effect) writes.push(effect.write);
    else input = effect;
  }
  return { input, writes };
}

function readRedirection(redirection: Redirection): Input | { write: Argument } | "harmless" | undefined {
  const { descriptor } = redirection;
  if (descriptor?.type === "FileDescriptorVariable") return undefined;
  const number = descriptor?.value;
  if (redirection.type === "HereDoc") {
    // Without its closing line, the here-document and the rest of the command were cut off.
    if ((number ?? 0) !== 0 || redirection.closing === undefined) return undefined;
    return (redirection.body.parts ?? []).every(isQuiet) ? { text: redirection.body.text } : undefined;
  }
  if (redirection.target === undefined) return undefined;
  const target = readArgument(redirection.target);
  if (target.runs) return undefined;
  if (redirection.type === "HereString") return (number ?? 0) === 0 ? { text: target.value } : undefined;
  return readRedirect(redirection, target, number);
}

function readRedirect({ operator }: Redirect, target: Argument, number: number | undefined) {
  const isOutput = number === undefined || number === 1 || number === 2;
  switch (operator) {
    case "<":
      if ((number ?? 0) !== 0) return undefined;
      if (target.value === DEV_NULL) return "harmless";
      return isFile(target) ? { file: target } : undefined;
    case ">&":
      if (/^(?:[12]|-)$/.test(target.value)) return isOutput ? "harmless" : undefined;
      return number === undefined && !/^\d/.test(target.value) ? output(target) : undefined;
    case ">":
    case ">>":
    case ">|":
      if (number === 2) return target.value === DEV_NULL ? "harmless" : undefined;
      return isOutput ? output(target) : undefined;
    case "&>":
    case "&>>":
      return output(target);
    default:
      return undefined;
  }
}

function output(target: Argument): { write: Argument } | "harmless" | undefined {
  if (target.value === DEV_NULL) return "harmless";
  return isFile(target) ? { write: target } : undefined;
}

/** Devices are not reported as files, and only the shell knows what a variable or a glob becomes. */
function isFile(target: Argument): boolean {
  return !target.value.startsWith("/dev/") && !target.splits && !target.variable && target.value !== "";
}
