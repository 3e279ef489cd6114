import { join } from "node:path";

/** The files in a run's directory. */
export interface RunPaths {
  readonly directory: string;
  readonly manifest: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly prompt: string;
  /** Our side of the conversation, for an agent with a protocol. */
  readonly client: string;
  /** The agent's requests to its model, and the answers, if the run records them. */
  readonly wire: string;
  readonly records: string;
  readonly events: string;
  readonly index: string;
  readonly artifacts: string;
}

/** The file names of the agent's streams. */
export const OUTPUT_FILES = { stdout: "raw.jsonl", stderr: "stderr.log" } as const;

export function runPaths(directory: string): RunPaths {
  return {
    directory,
    manifest: join(directory, "run.json"),
    stdout: join(directory, OUTPUT_FILES.stdout),
    stderr: join(directory, OUTPUT_FILES.stderr),
    prompt: join(directory, "prompt.txt"),
    client: join(directory, "client.jsonl"),
    wire: join(directory, "wire.jsonl"),
    records: join(directory, "records.jsonl"),
    events: join(directory, "events.jsonl"),
    index: join(directory, "index.jsonl"),
    artifacts: join(directory, "artifacts"),
  };
}

/** The unified stream of a run and its sidecar, in the folder required by specification 001. */
export function sessionPaths(sessions: string, id: string): { readonly stream: string; readonly meta: string } {
  return { stream: join(sessions, `${id}.ndjson`), meta: join(sessions, `${id}.meta.json`) };
}
