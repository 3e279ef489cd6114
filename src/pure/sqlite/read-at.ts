/** The bytes of a file at a place; fewer than asked for at its end. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** Decodes bytes, replacing invalid sequences. A parameter, because pure rooms have no decoder. */
export type DecodeText = (bytes: Uint8Array, encoding: Encoding) => string;
