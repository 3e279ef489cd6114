import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync } from "node:fs";
import { decode } from "../derive/index.ts";
import { type FileSeal, isFileAt, recordLines, sealOfFile } from "../format/index.ts";
import { setAside } from "./set-aside.ts";

/** Ends `wire.jsonl` after its last whole line: a killed recorder may have left half a line. Its lines were masked before they were written. */
export function mendWire(path: string): { readonly seal?: FileSeal; readonly repairs: readonly string[] } {
  if (!isFileAt(path)) return { repairs: [] };
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  const repairs: string[] = [];
  try {
    const lines = recordLines(fd, decode);
    for (const _ of lines.more());
    if (lines.offset < fstatSync(fd).size) {
      repairs.push(`a torn line at the end of wire.jsonl was moved to ${setAside(fd, path, lines.offset)}`);
      ftruncateSync(fd, lines.offset);
      fsyncSync(fd);
    }
  } finally {
    closeSync(fd);
  }
  const seal = sealOfFile(path);
  return { repairs, ...(seal && { seal }) };
}
