/** A subagent at work. */
export interface Subagent {
  readonly id: string;
  readonly name: string;
  /** How many subagents it stands behind, itself included. */
  readonly depth: number;
  /** The subagent that started it. */
  readonly parent?: string | undefined;
  readonly at: number;
}

interface Start {
  readonly subagentId: string;
  readonly name?: string;
  readonly parent?: string;
  readonly at: number;
}

/** The subagents that are at work, by id. */
export function crew() {
  const working = new Map<string, Subagent>();

  /** `caller` is the subagent of the call that the id names, where it is no subagent's id yet. */
  function find(id: string | undefined, caller?: string): Subagent | undefined {
    if (id === undefined) return undefined;
    const depth = caller === undefined ? 1 : (working.get(caller)?.depth ?? 1) + 1;
    return working.get(id) ?? { id, name: nameOf(id), depth, at: 0 };
  }

  return {
    find,
    start({ subagentId: id, name, parent, at }: Start): void {
      working.set(id, { id, name: nameOf(id, name), depth: (find(parent)?.depth ?? 0) + 1, parent, at });
    },
    end(id: string): void {
      working.delete(id);
    },
  };
}

/** Its own name, else the end of its id: ids that were made at the same time differ there. */
export function nameOf(id: string, name?: string): string {
  return name ?? `subagent ${id.slice(-4)}`;
}
