export interface Subagent {
  readonly id: string;
  readonly name: string;
  /** 1 for a subagent of the main agent, 2 for its subagents, and so on. */
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

export function crew() {
  const working = new Map<string, Subagent>();

  /** `id` may name a call whose subagent has not started; `caller` is then the subagent that made the call. */
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

/** The name, else the end of the id: ids from the same moment differ only there. */
export function nameOf(id: string, name?: string): string {
  return name ?? `subagent ${id.slice(-4)}`;
}
