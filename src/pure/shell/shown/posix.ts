import { forEachChild, type SyntaxNode } from "unbash";
import { namesOf } from "./arguments.ts";

const ONLY_BASH = namesOf("pushd popd dirs declare typeset shopt let mapfile readarray builtin enable coproc compgen complete");
const NODES = new Set<SyntaxNode["type"]>(["TestCommand", "ArithmeticCommand", "ArithmeticFor", "Select", "Coproc"]);
const PLAIN = /^[\w./:=,+@%-]*$/;

/** Why a script may mean something else to a shell that is not bash: `[[ a > b ]]` writes a file, and `pushd` is not there. */
export function onlyBash(node: SyntaxNode): string | undefined {
  if (NODES.has(node.type)) return "it is a construct of bash, and sh may be another shell";
  if (node.type === "Command") {
    const name = node.name?.text ?? "";
    if (ONLY_BASH.has(name)) return `${name} is a command of bash, and sh may be another shell`;
    const assigns = /^(?:export|readonly|local)$/.test(name);
    if (assigns && node.args.some(({ text }) => text.includes("=") && !PLAIN.test(text)))
      return `what ${name} sets is split by other shells than bash`;
  }
  let found: string | undefined;
  forEachChild(node, (child) => {
    found ??= onlyBash(child);
  });
  return found;
}

/** Text that means the same to every shell. */
export const EVERY_SHELL = /^[\w\s./:,@%+'"|;&<>-]*$/;
