/** Links can form long chains and circles. */
const MOST_FOLLOWED = 40;
/** With more links, nothing is resolved. */
const MOST_LINKS = 100_000;

/** Resolves links: those from before the run, and the changes that a trace shows. */
export interface LinkMap {
  /** The real path; follows a link at the end only if `follow`. Undefined if it cannot be known. */
  resolve(path: string, follow: boolean): string | undefined;
  made(path: string, target: string): void;
  removed(path: string): void;
  moved(from: string, to: string): void;
}

export interface LinkMapOptions {
  /** The links from before the run, by full path; `root` has no others. */
  readonly links: Iterable<readonly [path: string, target: string]>;
  readonly root: string;
  /** The target of a link outside `root` that the trace has not touched. */
  readonly linkAt: (path: string) => string | undefined;
}

export function linkMap({ links: before, root, linkAt: elsewhere }: LinkMapOptions): LinkMap {
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`);
  const linkAt = (path: string) => (isInside(path) ? undefined : elsewhere(path));
  const links = new Map<string, string>();
  const above = new Set<string>();
  /** Former links. The trace reports two processes one after the other, and either may really have been first. */
  const gone = new Set<string>();

  function resolve(path: string, follow: boolean): string | undefined {
    if (links.size + gone.size > MOST_LINKS) return undefined;
    const rest = path.split("/").reverse();
    let here = "";
    for (let followed = 0; rest.length > 0; ) {
      const name = rest.pop() ?? "";
      if (name === "" || name === ".") continue;
      if (name === "..") {
        here = here.slice(0, Math.max(0, here.lastIndexOf("/")));
        continue;
      }
      const next = `${here}/${name}`;
      const isLast = rest.every((each) => each === "" || each === ".");
      if (isLast && !follow) return next;
      if (gone.has(next) || name.includes("\ufffd") || /^\/proc\/(?:self|thread-self|\d+)\/(?:cwd|root|fd|task)$/.test(next))
        return undefined;
      const target = links.get(next) ?? linkAt(next);
      if (target === undefined) {
        here = next;
        continue;
      }
      if (++followed > MOST_FOLLOWED) return undefined;
      rest.push(...target.split("/").reverse());
      if (target.startsWith("/")) here = "";
    }
    return here === "" ? "/" : here;
  }

  function made(path: string, target: string): void {
    if (links.size > MOST_LINKS) return;
    links.set(path, target);
    gone.delete(path);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) above.add(path.slice(0, end));
  }

  function removed(path: string): void {
    if (links.delete(path) || linkAt(path) !== undefined) gone.add(path);
  }

  function moved(from: string, to: string): void {
    removed(to);
    if (isInside(to) && !isInside(from)) gone.add(to); // it may contain unknown links
    const own = links.get(from);
    const inside = above.has(from) ? [...links].filter(([path]) => path.startsWith(`${from}/`)) : [];
    for (const [path, target] of [...(own === undefined ? [] : [[from, own] as const]), ...inside]) {
      removed(path);
      made(to + path.slice(from.length), target);
    }
  }

  for (const [path, target] of before) made(path, target);
  return { resolve, made, removed, moved };
}
