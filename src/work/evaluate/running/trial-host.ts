import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type DataDirectory, dataOf, ensurePrivate } from "../../../host/recording/index.ts";
import { openObjects } from "../../../host/workspace/index.ts";
import { codeOf, HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { prepareGrader, type RecalledAnswers, recalledAnswers } from "../graders/index.ts";
import { agentIn, type GraderSpec, type LocalCode, localCode, type PreparedGrader } from "../trial/index.ts";
import { type GuardedObjects, guardedObjects } from "./guarded-objects.ts";
import { openTemplates, type Templates } from "./templates.ts";

/** What all trials in a process share. Nothing is created before the first trial. */
export interface TrialHost {
  agentOf(name: string): Promise<Agent>;
  readonly code: LocalCode;
  graderOf(spec: GraderSpec | undefined): Promise<PreparedGrader | undefined>;
  /** The judges of its graders are not asked again what they answered in these. */
  readonly recalled: RecalledAnswers;
  place(): TrialPlace;
  close(): void;
}

/** The places for recordings and workspace states. */
export interface TrialPlace {
  readonly data: DataDirectory;
  readonly objects: GuardedObjects;
  readonly templates: Templates;
  /** The SSH key that signs the runs. */
  readonly sign?: string | undefined;
}

export interface TrialHostOptions {
  /** The data directory with the runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
  readonly code?: LocalCode;
  /** An SSH key that signs the runs. */
  readonly sign?: string | undefined;
  /** Called if an agent changed our copy of a workspace, which was then read again; empty for the empty workspace. */
  readonly onRestored?: (workspace: string) => void;
}

export function openTrialHost({ dataDirectory, code = localCode(), sign, onRestored = () => {} }: TrialHostOptions = {}): TrialHost {
  const recalled = recalledAnswers();
  const graders = new Map<string, Promise<PreparedGrader | undefined>>();
  const agents = new Map<string, Promise<Agent>>();
  let isClosed = false;
  let opened: { readonly place: TrialPlace; readonly scratch: string } | undefined;
  return {
    code,
    agentOf: (name) => remembered(agents, name, () => agentIn(code, name)),
    graderOf: async (spec) =>
      spec && remembered(graders, JSON.stringify(spec), () => prepareGrader(spec, { code, dataDirectory, recalled })),
    recalled,
    place() {
      if (isClosed) throw new HarnessError("usage", "The trial host is closed. Open a new one with openTrialHost().");
      opened ??= openPlace(dataOf({ dataDirectory }), onRestored);
      return { ...opened.place, sign };
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      if (opened === undefined) return;
      opened.place.objects.close();
      try {
        rmSync(opened.scratch, { recursive: true, force: true });
      } catch {
        // an agent replaced a directory on the way there
      }
    },
  };
}

function openPlace(data: DataDirectory, restored: (workspace: string) => void): { place: TrialPlace; scratch: string } {
  const root = evaluationsFolder(data);
  removeAbandoned(root);
  const scratch = mkdtempSync(join(root, `scratch-${hostname()}-${process.pid}-`));
  const objects = guardedObjects(openObjects(join(root, "objects")), openObjects(join(scratch, "secret"), { isShared: false }));
  return { place: { data, objects, templates: openTemplates(data, scratch, objects, restored) }, scratch };
}

/** Removes what killed evaluations on this machine left: copies of workspaces, with their secrets. */
function removeAbandoned(root: string): void {
  for (const name of readdirSync(root)) {
    const [, host, pid] = /^scratch-(.+)-(\d+)-\w{6}$/.exec(name) ?? [];
    if (host === hostname() && !isAlive(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // of a different user
  }
}

/** The evaluations folder in the data directory; created if needed. */
export function evaluationsFolder(data: DataDirectory): string {
  const root = join(data.root, "evaluations");
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(root);
  return root;
}

function remembered<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
