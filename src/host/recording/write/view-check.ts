import { closeSync } from "node:fs";
import { basename } from "node:path";
import type { Event, Line } from "../../../pure/events/index.ts";
import { lineSplitter, type View } from "../../../pure/pipeline/index.ts";
import { bytesOf, openToRead } from "../../files/index.ts";
import { decode } from "../derive/index.ts";
import { type FileSeal, sealOfFile } from "../format/index.ts";
import type { Flaw } from "./flaw.ts";

/** Finds the first line of a view's file that differs from its run's events. With `mustFollow` false, the sealed contents suffice. */
export function viewCheck(path: string, view: View, sealed: FileSeal | undefined, mustFollow: boolean) {
  const file = basename(path);
  const found = sealOfFile(path);
  const isAsSealed = sealed !== undefined && found?.sha256 === sealed.sha256;
  const projection = view.open();
  const fd = openToRead(path);
  const lines = fd === undefined ? undefined : linesOf(fd);
  let number = 0;
  let offset = 0;
  let flaw: Flaw | undefined = fd === undefined ? { file, problem: "it is missing" } : undefined;

  function compare(record: object): void {
    const next = lines?.next();
    number++;
    if (next === undefined || next.done) flaw = { file, line: number, offset, problem: "it ends before the run does" };
    else if (!next.value.terminated || next.value.text !== JSON.stringify(record))
      flaw = { file, line: number, offset: next.value.offset, problem: "this does not match the run's bytes" };
    else offset = next.value.offset + next.value.length + 1;
  }

  return {
    see(events: readonly Event[]): void {
      for (const event of events) for (const record of projection.push(event)) if (flaw === undefined) compare(record);
    },
    end(): readonly Flaw[] {
      const more = flaw === undefined ? lines?.next() : undefined;
      if (more?.done === false) flaw = { file, line: number + 1, offset, problem: "it continues after the end of the run" };
      if (isAsSealed && !mustFollow) return [];
      return flaw !== undefined ? [flaw] : isAsSealed ? [] : [{ file, problem: "it is not what was sealed" }];
    },
    close(): void {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function* linesOf(fd: number): Generator<Line, undefined> {
  const lines = lineSplitter(decode, Number.MAX_SAFE_INTEGER);
  for (const bytes of bytesOf(fd)) yield* lines.push(bytes);
  yield* lines.end();
  return undefined;
}
