import { dirname } from "node:path";
import type { ExitRecord } from "../core/record.ts";
import type { RecordChain } from "../store/record-chain.ts";
import type { Seal } from "../store/run-manifest.ts";
import { syncPaths } from "../store/sync-paths.ts";
import type { Clock } from "./clock.ts";
import type { Recording } from "./recording.ts";
import type { OpenDirectory } from "./run-directory.ts";
import { fileSeal, sealOf, writeSeal } from "./seal-run.ts";

/** Everything was read: records the end, and seals what the files hold. */
export async function sealRecording(
  { paths, session, manifest, prompt, spools, files, reserve }: OpenDirectory,
  log: Recording,
  chain: RecordChain,
  clock: Clock,
  { exit, leftovers }: { readonly exit: ExitRecord; readonly leftovers: number | null },
): Promise<Seal> {
  log.exit({ ...exit, at: clock.now() });
  const [stdout, stderr] = spools;
  const { events, session: stream } = log.seals();
  const sealedFiles = {
    "raw.jsonl": stdout.seal(),
    "stderr.log": stderr.seal(),
    "prompt.txt": fileSeal(paths.prompt),
    ...(files.client && { "client.jsonl": fileSeal(paths.client) }),
    "events.jsonl": events,
    "session.ndjson": stream,
  };
  const truncated = [...stdout.truncations, ...stderr.truncations];
  const masked = stdout.masked + stderr.masked + prompt.masked;
  const ending = { exit, summary: log.summary.summary(), eventCount: log.eventCount, records: chain.seq, head: chain.head };
  const seal = sealOf(clock.now(), ending, {
    masked,
    leftovers,
    files: sealedFiles,
    ...(truncated.length === 0 ? {} : { truncated }),
  });
  const written = [files.records, files.events, files.session, ...(files.client ? [files.client] : [])]; // the spools are synced already
  const ready = Promise.all([...written.map((file) => file.sync()), syncPaths([paths.prompt, dirname(paths.directory)])]);
  reserve.free(); // what follows is the last that is written: it may have the space that was kept for it
  await writeSeal({ manifest: paths.manifest, meta: session.meta }, manifest, seal, prompt.text, ready);
  return seal;
}
