export interface ImportOptions {
  /** Ids of agents. Default: every agent whose store is known. */
  readonly agents?: readonly string[];
  /** Directories or files to read instead of the usual places. */
  readonly paths?: readonly string[];
  /** Only sessions that changed at or after this time, in epoch milliseconds. */
  readonly since?: number;
  /** Only sessions of this directory, or of one below it. */
  readonly project?: string;
  /** Find sessions and import none. */
  readonly dryRun?: boolean;
  /** Names of variables whose values are masked, in addition to the usual ones. */
  readonly secrets?: readonly string[];
  readonly dataDirectory?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly home?: string;
}

/** What became of a session. */
export interface Imported {
  readonly agent: string;
  readonly session: string;
  readonly project: string | null;
  readonly prompt: string | null;
  readonly files: number;
  readonly bytes: number;
  /**
   * `new`: imported for the first time. `grown`: it continues the earlier recording, byte for byte. `rewritten`: it does not. `unchanged`:
   * the earlier recording has it all. `found`: a dry run. `failed`: see `reason`. `unsupported`: not a session, but the
   * directory of an agent whose sessions are not read.
   */
  readonly state: "new" | "grown" | "rewritten" | "unchanged" | "found" | "failed" | "unsupported";
  /** The run that holds it. */
  readonly run: string | null;
  /** The earlier recording of the session, for one that has grown or was rewritten. */
  readonly before?: string;
  readonly reason?: string;
}
