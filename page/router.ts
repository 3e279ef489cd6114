import { useEffect, useState } from "preact/hooks";

/** The route is in the hash, so that an exported file has addresses too. */
export type Route = readonly string[];

export function currentRoute(): Route {
  return location.hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((word) => word !== "")
    .map(decoded);
}

export function hrefOf(...parts: readonly (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
}

/** Adds no history entry: the Back button need not undo a selection. */
export function replaceRoute(href: string): void {
  if (location.hash !== href) history.replaceState(null, "", href);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const changed = () => setRoute(currentRoute());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
