import { useEffect, useState } from "preact/hooks";

/** Where one is: the words between the slashes behind the `#`, so that an exported file has addresses too. */
export type Route = readonly string[];

export function currentRoute(): Route {
  return location.hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((word) => word !== "")
    .map(decoded);
}

export function hrefOf(...words: readonly (string | number)[]): string {
  return `#/${words.map((word) => encodeURIComponent(word)).join("/")}`;
}

/** Without a step in the history: what was merely selected need not be gone back to. */
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
