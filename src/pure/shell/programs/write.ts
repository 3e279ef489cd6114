import type { Operation } from "../../events/index.ts";
import { type Call, type Effect, effectOf, fileOperands } from "../call.ts";
import { locate } from "../directory.ts";
import { ALL_LINES } from "../lines.ts";
import { optionTable, parseOptions } from "../options.ts";

/** echo and printf only produce text, which a redirection or tee may write to a file. */
export function text(call: Call): Effect | undefined {
  return call.piped ? undefined : effectOf([]);
}

const TEE = optionTable({ flags: "a i p append ignore-interrupts" });

/** Writes its input, which must exist: a pipe, a here-document or `<`. */
export function tee(call: Call): Effect | undefined {
  const parsed = parseOptions(call.args, TEE);
  const files = parsed && fileOperands(parsed.operands);
  if (files === undefined || call.piped === (call.input !== undefined)) return undefined;
  const source: Operation[] =
    call.input !== undefined && "file" in call.input ? [{ kind: "read", path: locate(call.input.file, call.directory) }] : [];
  const writes = files.map((file): Operation => ({ kind: "write", path: locate(file, call.directory) }));
  return effectOf([...source, ...writes], ALL_LINES);
}

const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** One write per file that the patch names. The patch is an argument or a here-document. */
export function applyPatch(call: Call): Effect | undefined {
  const given = call.args.length > 0 ? call.args : undefined;
  if (call.piped || (given?.length ?? 0) > 1) return undefined;
  const patch = given?.[0]?.value ?? (call.input !== undefined && "text" in call.input ? call.input.text : "");
  const writes: Operation[] = [];
  for (const [, path = ""] of patch.matchAll(PATCHED_FILE)) {
    const value = path.trim();
    const named = { text: value, value, variable: false, splits: false, runs: false };
    writes.push({ kind: "write", path: locate(named, call.directory) });
  }
  return effectOf(writes);
}
