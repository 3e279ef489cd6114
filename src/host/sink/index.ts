/** The way out: the type of text and bytes that may leave the process, and the functions that write it. */

export { connectTo, endStream, socketServer } from "./local-socket.ts";
export { post } from "./post.ts";
export {
  bytesOfText,
  forProgram,
  joined,
  json,
  masked,
  maskedLater,
  neededVerbatim,
  own,
  ownBytes,
  part,
  recorded,
  type Safe,
  type SafeBytes,
  type SafeText,
  scripted,
  textOfBytes,
} from "./safe.ts";
export { writeFile } from "./write-file.ts";
export { writeFully } from "./write-fully.ts";
export { writeStream } from "./write-stream.ts";
