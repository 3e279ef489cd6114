import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { codeOf, HarnessError } from "../../../pure/base/index.ts";
import { reasonOf } from "../../files/index.ts";

export interface AgentFile {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** Opened without blocking, and read only if it is a regular file of a sensible size. */
export function readAgentFile(path: string, largest: number): AgentFile {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw new HarnessError("usage", `${path} is a directory. Pass the file that describes the agent.`);
    if (!stats.isFile()) throw new HarnessError("usage", `${path} is not a regular file. Pass the file that describes the agent.`);
    if (stats.size > largest)
      throw new HarnessError("usage", `${path} is too large to describe an agent (more than ${largest / 1024} KiB).`);
    const bytes = readFileSync(fd);
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const why = codeOf(error) === "ENOENT" ? "there is no such file" : reasonOf(error);
    throw new HarnessError("usage", `Cannot read the agent in ${path}: ${why}. Pass the path of a module or a schema.`, { cause: error });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
