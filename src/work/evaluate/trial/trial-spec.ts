import type { DataDirectory, RunOptions } from "../../../host/recording/index.ts";
import type { Manifest, Objects } from "../../../host/workspace/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import type { Case } from "../cases/index.ts";
import type { Configuration } from "./configuration.ts";
import type { Grader } from "./grader.ts";

/** Who is asked, and how: the same for all cases of one agent. */
export interface Entrant {
  /** What results are labelled with. */
  readonly label: string;
  readonly agent: Agent;
  /** It can go on with a session, as a case of several turns asks for. */
  readonly resumes: boolean;
  readonly options: Omit<RunOptions, "prompt" | "cwd" | "agent">;
  readonly configuration: string;
  readonly details: Configuration;
}

/** What one trial needs. */
export interface Trial {
  readonly row: Case;
  readonly caseHash: string;
  readonly trialNum: number;
  readonly entrant: Entrant;
  readonly template: PreparedTemplate;
  readonly grader?: Grader;
  /** Where no case has its own limit. */
  readonly timeoutMs?: number;
  readonly home: "private" | "inherit";
  readonly data: DataDirectory;
  readonly objects: Objects;
}

/** A workspace to copy for every trial; looked at once, because all trials begin with the same. */
export interface PreparedTemplate {
  /** Undefined: an empty one. */
  readonly path?: string;
  readonly before: Manifest;
}
