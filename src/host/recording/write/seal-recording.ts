import { dirname } from "node:path";
import type { ExitRecord } from "../../../pure/events/index.ts";
import { syncPaths } from "../../files/index.ts";
import type { RecordChain, Seal } from "../format/index.ts";
import type { Clock } from "./clock.ts";
import { artifactSeals, sealOutside } from "./outside.ts";
import { appendedFiles, type Recording } from "./recording.ts";
import type { OpenDirectory } from "./run-directory.ts";
import { fileSeal, sealOf, writeSeal } from "./seal-run.ts";
import type { Witness } from "./witness.ts";

/** Everything was read: records the end and seals the files. */
export async function sealRecording(
  { paths, session, manifest, prompt, spools, files, reserve }: OpenDirectory,
  log: Recording,
  chain: RecordChain,
  clock: Clock,
  { exit, leftovers }: { readonly exit: ExitRecord; readonly leftovers: number | null },
  witness?: Witness,
): Promise<Seal> {
  log.exit({ ...exit, at: clock.now() });
  await witness?.keep?.();
  const [stdout, stderr] = spools;
  const printed = { "raw.jsonl": stdout.seal(), "stderr.log": stderr.seal() };
  const sealedFiles = {
    ...printed,
    "prompt.txt": fileSeal(paths.prompt),
    ...(files.client && { "client.jsonl": fileSeal(paths.client) }),
    ...(files.wire && { "wire.jsonl": fileSeal(paths.wire) }),
    ...log.seals(),
    ...(witness && artifactSeals(paths.directory, witness.out, Object.values(printed))),
  };
  const truncated = [...stdout.truncations, ...stderr.truncations];
  const masked = stdout.masked + stderr.masked + prompt.masked;
  const ending = {
    exit,
    summary: log.summary.summary(),
    network: log.summary.network(),
    eventCount: log.eventCount,
    records: chain.seq,
    head: chain.head,
  };
  const seal = sealOf(clock.now(), ending, {
    masked,
    leftovers,
    files: sealedFiles,
    ...(truncated.length === 0 ? {} : { truncated }),
  });
  const ready = Promise.all([
    ...appendedFiles(files).map((file) => file.sync()), // the spools are already synced
    syncPaths([paths.prompt, dirname(paths.directory)]),
  ]);
  reserve.free(); // the last writes may use the reserved space
  const finished = await writeSeal({ manifest: paths.manifest, meta: session.meta }, manifest, seal, prompt.text, ready);
  if (witness?.out !== undefined) sealOutside(witness.out, finished);
  return seal;
}
