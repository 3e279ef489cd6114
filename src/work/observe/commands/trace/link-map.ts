/** Links can form long chains and circles. */
const MOST_FOLLOWED = 40;
/** With more names, nothing is resolved. */
const MOST_NAMES = 100_000;

/** What lies at a path. `unknown`: it may be, or contain, any link. */
type Entry = { readonly kind: "link"; readonly target: string } | { readonly kind: "plain" } | { readonly kind: "unknown" };

export interface LinkMapOptions {
  /** The links from before the run, by full path; `root` has no others. */
  readonly links: Iterable<readonly [path: string, target: string]>;
  readonly root: string;
  /** The target of a link on the disk, outside `root`; undefined: not a link; null: nothing is there. */
  readonly linkAt: (path: string) => string | undefined | null;
  /** Called when something is moved or removed that was taken for what the disk has there now, after the run. */
  readonly onDoubt: (path: string) => void;
}

/** The targets of names: the links from before the run, and every change of names that a trace shows. */
export function linkMap({ links: before, root, linkAt, onDoubt }: LinkMapOptions) {
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`);
  /** Names whose meaning the trace showed. All others are as they were before: in `root` not links, outside as on the disk. */
  const entries = new Map<string, Entry>();
  const above = new Set<string>();
  /** Names outside `root` that were taken for what the disk has there now. */
  const taken = new Set<string>();
  const aboveTaken = new Set<string>();

  function set(path: string, entry: Entry): void {
    if (entries.size > MOST_NAMES) return;
    entries.set(path, entry);
    for (const parent of parentsOf(path)) above.add(parent);
  }

  /** Undefined if it cannot be known. `isBusy`: a name that another process changed at the same time. */
  function resolve(path: string, follow: boolean, isBusy: (name: string) => boolean = () => false): string | undefined {
    if (entries.size > MOST_NAMES) return undefined;
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
      // A slash or a dot after a link makes every call follow it.
      if (rest.length === 0 && !follow) return next;
      if (name.includes("\ufffd") || isBusy(next)) return undefined;
      // The system's own links to descriptors, programs and directories are not text.
      if (/^\/proc\/(?:self|thread-self|\d+)\/./.test(next)) return undefined;
      const entry = entryAt(next, rest.length === 0);
      if (entry?.kind === "unknown") return undefined;
      if (entry?.kind !== "link") {
        here = next;
        continue;
      }
      if (++followed > MOST_FOLLOWED) return undefined;
      rest.push(...entry.target.split("/").reverse());
      if (entry.target.startsWith("/")) here = "";
    }
    return here === "" ? "/" : here;
  }

  /** Undefined: not a link. */
  function entryAt(path: string, isLast: boolean): Entry | undefined {
    const known = entries.get(path);
    if (known !== undefined || isInside(path)) return known;
    const target = linkAt(path);
    if (target === null) return isLast ? undefined : { kind: "unknown" };
    if (!taken.has(path) && taken.size <= MOST_NAMES) {
      taken.add(path);
      for (const parent of parentsOf(path)) aboveTaken.add(parent);
    }
    return target === undefined ? undefined : { kind: "link", target };
  }

  /** Something outside `root` is not what it was, nor is anything below it. */
  function disturbed(path: string): void {
    if (isInside(path) || entries.has(path)) return;
    if (taken.has(path) || aboveTaken.has(path) || taken.size > MOST_NAMES) onDoubt(path);
  }

  /** Takes away what is known about a name and everything below it. */
  function take(path: string): readonly (readonly [below: string, entry: Entry])[] {
    const own = entries.get(path);
    const below = above.has(path) ? [...entries].filter(([each]) => each.startsWith(`${path}/`)) : [];
    // Unknown: it comes from outside, and may be, or contain, any link.
    const first: Entry | undefined = own ?? (isInside(path) ? undefined : { kind: "unknown" });
    for (const [each] of below) entries.delete(each);
    entries.delete(path);
    return [
      ...(first === undefined ? [] : [["", first] as const]),
      ...below.map(([each, entry]) => [each.slice(path.length), entry] as const),
    ];
  }

  function put(path: string, names: readonly (readonly [below: string, entry: Entry])[]): void {
    for (const [below, entry] of names) set(path + below, entry);
  }

  for (const [path, target] of before) set(path, { kind: "link", target });
  return {
    resolve,
    linked: (path: string, target: string) => set(path, { kind: "link", target }),
    /** A file or a directory: not a link. */
    made: (path: string) => (isInside(path) ? void entries.delete(path) : set(path, { kind: "plain" })),
    removed(path: string, isDirectory: boolean): void {
      if (!isDirectory) disturbed(path);
      entries.delete(path);
    },
    moved(from: string, to: string): void {
      if (from === to) return;
      for (const path of [from, to]) disturbed(path);
      entries.delete(to);
      put(to, take(from));
    },
    exchanged(one: string, other: string): void {
      for (const path of [one, other]) disturbed(path);
      const names = take(one);
      put(one, take(other));
      put(other, names);
    },
    /** A second name for a file, or for a link. */
    copied(from: string, to: string): void {
      const entry = entryAt(from, false);
      if (entry === undefined || entry.kind === "plain") entries.delete(to);
      else set(to, entry);
    },
    /** Two processes changed it at the same time. */
    unclear: (path: string) => set(path, { kind: "unknown" }),
  };
}

function* parentsOf(path: string): Generator<string> {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) yield path.slice(0, end);
}
