import type { Manifest } from "./manifest.ts";
import { entriesOf } from "./manifest-file.ts";

/** The number of links Linux follows in one path. */
const MOST_FOLLOWED = 40;

/** Finds links that lead back to themselves: for a path behind one, the system cannot even say "no such file". */
export function loopingLinks(manifest: Manifest): (path: string) => boolean {
  const links = new Map<string, string>();
  const directories = new Set<string>([""]);
  for (const { path, type, link } of entriesOf(manifest)) {
    if (type === "link" && link !== undefined) links.set(path, link);
    else if (type === "directory") directories.add(path);
  }

  return (path) => {
    let place: string[] = [];
    const ahead = path.split("/");
    for (let followed = 0; ; ) {
      const name = ahead.shift();
      if (name === undefined) return false;
      if (name === "" || name === ".") continue;
      if (name === "..") {
        if (place.length === 0) return false; // out of the tree, where we know nothing
        place.pop();
        continue;
      }
      const here = [...place, name].join("/");
      const link = links.get(here);
      if (link === undefined) {
        if (!directories.has(here)) return false;
        place = [...place, name];
      } else if (link.startsWith("/")) return false;
      else if (++followed > MOST_FOLLOWED) return true;
      else ahead.unshift(...link.split("/"));
    }
  };
}
