import * as zlib from "node:zlib";

/** Turns the bytes of an answer into what they encode, in order. */
export interface Decoder {
  push(bytes: Uint8Array): void;
  /** Resolves when everything was given out. */
  end(): Promise<void>;
}

/** Of more the rest is not recorded: a small answer may claim to be endless. */
const MOST = 512 * 1024 * 1024;

/** `given` gets the decoded bytes. Undefined: this encoding is not known here. */
export function decoderOf(encoding: string | undefined, given: (bytes: Uint8Array) => void): Decoder | undefined {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return { push: given, end: async () => {} };
  const make = makers[name];
  if (make === undefined) return undefined;
  const stream = make();
  let count = 0;
  stream.on("data", (chunk: Buffer) => {
    count += chunk.length;
    if (count <= MOST) given(chunk);
    else stream.destroy();
  });
  const done = new Promise<void>((resolve) => {
    stream.on("end", () => resolve());
    stream.on("error", () => resolve()); // what was decoded until then is recorded
    stream.on("close", () => resolve());
  });
  return {
    push(bytes) {
      if (!stream.destroyed) stream.write(bytes);
    },
    async end() {
      if (!stream.destroyed) stream.end();
      await done;
    },
  };
}

const { Z_SYNC_FLUSH: finishFlush } = zlib.constants;

/** Each gives out what it has, also if the answer breaks off. */
const makers: Readonly<Record<string, (() => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress) | undefined>> = {
  gzip: () => zlib.createGunzip({ finishFlush }),
  "x-gzip": () => zlib.createGunzip({ finishFlush }),
  deflate: () => zlib.createInflate({ finishFlush }),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};
