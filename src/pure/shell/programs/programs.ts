import type { Reader } from "../call.ts";
import { cut, sort, tr, uniq, wc } from "./filter.ts";
import { fd, find } from "./find.ts";
import { git } from "./git.ts";
import { eza, ls, tree } from "./list.ts";
import { bat, cat, head, nl, pager, tac, tail } from "./read.ts";
import { ag, grep, rg } from "./search.ts";
import { sed } from "./sed.ts";
import { applyPatch, tee, text } from "./write.ts";

/** Every program whose calls can be file operations, or parts of one. A call of any other program is a `command`. */
export const PROGRAMS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  // read
  ["cat", cat],
  ["head", head],
  ["tail", tail],
  ["nl", nl],
  ["tac", tac],
  ["bat", bat],
  ["batcat", bat],
  ["less", pager],
  ["more", pager],
  ["sed", sed],
  // search
  ["rg", rg],
  ["grep", grep],
  ["egrep", grep],
  ["fgrep", grep],
  ["git", git],
  ["ag", ag],
  ["find", find],
  ["fd", fd],
  ["fdfind", fd],
  // list
  ["ls", ls],
  ["tree", tree],
  ["exa", eza],
  ["eza", eza],
  // write
  ["echo", text],
  ["printf", text],
  ["tee", tee],
  ["apply_patch", applyPatch],
  ["applypatch", applyPatch],
  // only behind a pipe
  ["wc", wc],
  ["sort", sort],
  ["uniq", uniq],
  ["cut", cut],
  ["tr", tr],
]);
