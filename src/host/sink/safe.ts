/** Only a type: nothing is copied or stored. A private member does not survive a spread, so a changed copy is not safe. */
declare class Mark {
  private readonly isSafe: true;
}

/** What may leave the process. Only the functions of `host/secrets`, which mask, and the conversions below return it. */
export type Safe<T> = T & Mark;
export type SafeText = Safe<string>;
export type SafeBytes = Safe<Uint8Array>;

type Conversion = <T extends string | Uint8Array | object>(value: T) => Safe<T>;

const unchecked = ((value: unknown) => value) as Conversion;

// Each conversion says why what it gets is safe. test/project/writers.test.ts lists its callers.

/** Secrets in it are overwritten. Only for `host/secrets`. */
export const masked = unchecked;

/** It was read from a recording or a results file, or derived from one: these were masked when they were written. */
export const recorded = unchecked;

/** It goes to a private file that the caller masks as a whole, or removes, before anything refers to it. */
export const maskedLater = unchecked;

/** It goes to the agent, or to a program that needs it verbatim: into a workspace, a private home, or a file without a name. */
export const forProgram = unchecked;

/** An id or a path by which a later command must find something again. docs/reference/secrets.md names them. */
export const neededVerbatim = unchecked;

/** It is not made from input: random bytes, asterisks, a signature, a file of this package. */
export const ownBytes = unchecked;

/** The scripted model and the agents that are tried on it have no secrets. */
export const scripted = unchecked;

/** Text in our source code, with numbers and safe text in it. */
export function own(texts: TemplateStringsArray, ...values: readonly (number | SafeText)[]): SafeText {
  return unchecked(String.raw({ raw: texts }, ...values));
}

/** A value whose texts are safe, as JSON. */
export function json(value: Safe<object>, indent?: number): SafeText {
  return unchecked(JSON.stringify(value, null, indent));
}

export function joined(first: SafeText, second: SafeText): SafeText {
  return unchecked(first + second);
}

export function bytesOfText(text: SafeText): Buffer & SafeBytes {
  return unchecked(Buffer.from(text));
}

export function textOfBytes(bytes: SafeBytes): SafeText {
  return unchecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

/** From `start` up to, not including, `end`. Shares its memory. */
export function part(bytes: SafeBytes, start: number, end?: number): SafeBytes {
  return unchecked(bytes.subarray(start, end));
}
