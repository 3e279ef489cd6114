import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pinFiles } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import {
  cloneTree,
  copyTree,
  fetchTemplate,
  type Layer,
  layOver,
  type Manifest,
  NOT_KEPT,
  type Objects,
  rebuild,
  removeTree,
  snapshot,
  type Template,
} from "../../../host/workspace/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { WorkspaceLayer } from "../trial/index.ts";
import { applyLayers } from "./apply-layers.ts";

/** The workspace that trials start with. It is read once: what an earlier trial writes there reaches no later one. */
export interface PreparedTemplate {
  /** What its layers left out of it. */
  readonly removed: readonly string[];
  /** Its state. Read again from the source if our own copy was changed; throws if the source was changed, too. */
  before(): Promise<Manifest>;
  /** Fills an empty directory with exactly this state. Throws if neither our copy nor the source has it any more. */
  fill(directory: string, signal: AbortSignal): Promise<void>;
  /**
   * The same without copying, for a trial whose agent cannot reach our directories: the kernel shows one tree to all of them, and keeps the
   * changes of each, or the file system clones its files. Undefined if that is not possible here, or does not pay: then fill it.
   */
  cover(directory: string): Promise<Layer | undefined>;
}

/** Below this, copying takes less than a tenth of a second. */
const WORTH_A_LAYER = 1000;

/** The workspaces that trials start with, each fetched and scanned once. */
export interface Templates {
  /** With `layers`: the workspace with these files, and without those it removes. */
  prepare(workspace: string | undefined, layers?: readonly WorkspaceLayer[]): Promise<PreparedTemplate>;
}

/** An agent can write to `scratch` and to the objects: only digests in this process decide what a workspace was. */
export function openTemplates(data: DataDirectory, scratch: string, objects: Objects, restored: (workspace: string) => void): Templates {
  const known = new Map<string, Promise<PreparedTemplate>>();
  let places = 0;

  function freshPath(name: string): string {
    mkdirSync(scratch, { recursive: true, mode: 0o700 }); // an agent may have removed it
    return join(scratch, `${name}-${places++}`);
  }

  async function sourceOf(
    workspace: string,
    layers: readonly WorkspaceLayer[],
  ): Promise<Template & { readonly removed?: readonly string[] }> {
    const template = await bareOf(workspace);
    if (layers.length === 0) return template;
    const path = freshPath("layered");
    await copyTree(template.path, path);
    return { ...template, path, removed: await applyLayers(path, layers) };
  }

  async function bareOf(workspace: string): Promise<Template> {
    if (workspace !== "") return templateOf(workspace, data, freshPath("template"));
    const path = freshPath("empty");
    mkdirSync(path, { mode: 0o700 });
    return { path };
  }

  const scanned = async (path: string) => {
    const manifest = await snapshot(path, { to: freshPath("before"), keep: objects });
    return { manifest, pins: pinFiles([manifest.path]) };
  };

  async function prepared(workspace: string, layers: readonly WorkspaceLayer[]): Promise<PreparedTemplate> {
    const first = await sourceOf(workspace, layers);
    let state = await scanned(first.path);
    /** The tree below all layers, and the state it was made of. */
    let below: { readonly of: Manifest; readonly path: string; readonly isWhole: Promise<boolean> } | undefined;

    function tree(manifest: Manifest): NonNullable<typeof below> {
      if (below?.of === manifest) return below;
      const path = freshPath("below");
      const isWhole = rebuild(manifest, objects, path).then(
        ({ notMade }) => notMade.length === 0,
        () => false,
      );
      below = { of: manifest, path, isWhole };
      return below;
    }

    async function before(): Promise<Manifest> {
      if (state.pins.changed() === undefined) return state.manifest;
      const { path, commit } = await sourceOf(workspace, layers);
      const now = await scanned(path);
      if (commit === undefined) checkSame(now.manifest); // a commit proves its files, and the index of a checkout differs each time
      state = now;
      restored(workspace);
      return state.manifest;
    }

    function checkSame({ end: { digest } }: Manifest): void {
      if (digest === state.manifest.end.digest) return;
      const what = workspace === "" ? "the empty workspace" : `the workspace ${workspace}`;
      throw new HarnessError("input", `An agent changed ${what} and our copy of it during the evaluation. Restore it, and start again.`);
    }

    return {
      removed: first.removed ?? [],
      before,
      async cover(directory) {
        const manifest = await before();
        if (manifest.end.entries < WORTH_A_LAYER) return undefined;
        const { path, isWhole } = tree(manifest);
        if (!(await isWhole)) return undefined;
        const layer = await layOver(path, directory, freshPath("layer"));
        if (layer !== undefined) return layer;
        return (await cloneTree(path, directory, manifest.path)) ? { close: async () => {} } : undefined;
      },
      async fill(directory, signal) {
        const manifest = await before();
        try {
          const { notMade } = await rebuild(manifest, objects, directory);
          if (!notMade.some(({ reason }) => reason === NOT_KEPT)) return; // otherwise it is too large to keep
        } catch (error) {
          if (!(error instanceof HarnessError) || error.code !== "input") throw error;
          restored(workspace);
        }
        await removeTree(directory);
        const { path, commit } = await sourceOf(workspace, layers);
        await copyTree(path, directory, { signal });
        if (commit !== undefined) return;
        const copy = await snapshot(directory, { to: freshPath("copy") });
        rmSync(copy.path, { force: true });
        checkSame(copy);
      },
    };
  }

  return {
    prepare(workspace = "", layers = []) {
      const key = JSON.stringify([workspace, layers]);
      const found = known.get(key) ?? prepared(workspace, layers);
      known.set(key, found);
      return found;
    },
  };
}

/** A workspace's files: the folder itself, or a commit of a repository, checked out into a new directory. */
export async function templateOf(workspace: string, data: DataDirectory, into: string): Promise<Template> {
  const cache = join(data.root, "evaluations", "templates");
  ensurePrivate(cache);
  return fetchTemplate(workspace, cache, into);
}
