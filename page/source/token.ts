const KEY = "harness-token";
const WITH_TOKEN = /^#token=([\w-]{20,100})(\/.*)?$/;

/** Moves the token from the address into this port's storage, and returns whether there was one. Runs before the route is read. */
export function keepToken(): boolean {
  const [, token, route = ""] = WITH_TOKEN.exec(location.hash) ?? [];
  if (token === undefined) return false;
  try {
    localStorage.setItem(KEY, token);
  } catch {
    kept = token; // storage is switched off: this tab only, until it is loaded again
  }
  history.replaceState(null, "", `${location.pathname}#${route}`);
  return true;
}

/** Calls `again` when this tab or another one opens the address of a new server. */
export function onNewToken(again: () => void): void {
  addEventListener("hashchange", () => keepToken() && again());
  addEventListener("storage", ({ key }) => key === KEY && again());
}

let kept: string | undefined;

/** The header that every request carries. */
export function authorization(): Readonly<Record<string, string>> {
  const token = kept ?? stored();
  return token === null || token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
