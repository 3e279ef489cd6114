import type { Event, FactBody, Resources } from "../../../pure/events/index.ts";
import type { Launched } from "../../process/index.ts";
import type { KeptView } from "./kept-views.ts";

/** Puts a fact into the recording, behind all that was recorded before. */
export type Tell = (body: FactBody) => void;

/** Whoever watches a run from outside the agent: what is established goes into the recording, in its place. */
export interface Witness {
  /** A directory outside the run, which exists: what the run keeps there, and copies of its artifacts, are sealed with it. */
  readonly out: string;
  readonly views: readonly KeptView[];
  /** Before the agent is started; where this rejects, it is not. The time it takes is not the agent's. */
  prepare(tell: Tell): Promise<void>;
  started?(agent: Launched): void;
  /** After they are on their way to the disk. */
  see?(events: readonly Event[], tell: Tell): void;
  /** The agent has gone: what it used. */
  resources(): Resources;
  /** Nothing of the agent is alive, and all that it printed is recorded; not told of a run whose log broke. */
  conclude(tell: Tell): Promise<void>;
}
