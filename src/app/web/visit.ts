import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openToRead, writeAtomically } from "../../host/files/index.ts";

/** Who may look: whoever has the token of this server, and then a cookie, for half a day. */
export interface Visit {
  /** For the address that is printed; valid as long as this server runs. */
  readonly token: string;
  isToken(text: string): boolean;
  /** What the browser is told to keep. */
  cookie(now: number): string;
  isVisitor(cookies: string | undefined, now: number): boolean;
}

const COOKIE = /^([^=]+)=(\d{1,16})\.([\w-]{43})$/;
const HALF_A_DAY_MS = 12 * 3_600_000;

/**
 * The cookie is signed with a key that outlives the server, so that a page which is open when it is restarted on the same port goes
 * on by itself. Whoever could read the key could read the runs.
 */
export function visit(key: Buffer, port: number): Visit {
  const token = randomBytes(32).toString("base64url");
  const name = `harness_${port}`; // cookies are shared by all ports of a host
  const sign = (until: string) => createHmac("sha256", key).update(`${name}|${until}`).digest("base64url");
  return {
    token,
    isToken: (text) => isSame(text, token),
    cookie(now) {
      const until = String(now + HALF_A_DAY_MS);
      return `${name}=${until}.${sign(until)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${HALF_A_DAY_MS / 1000}`;
    },
    isVisitor(cookies, now) {
      for (const each of cookies?.split(/; ?/) ?? []) {
        const [, given, until, signature] = COOKIE.exec(each) ?? [];
        if (given !== name || until === undefined || signature === undefined) continue;
        if (Number(until) > now && isSame(signature, sign(until))) return true;
      }
      return false;
    },
  };
}

/** The key of this cache directory, made when it is first asked for. */
export function visitKey(cache: string): Buffer {
  const path = join(cache, "key");
  const known = keyIn(path);
  if (known !== undefined) return known;
  const key = randomBytes(32);
  writeAtomically(path, key.toString("hex"));
  return key;
}

function keyIn(path: string): Buffer | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    const text = readFileSync(fd, "utf8");
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : undefined;
  } finally {
    closeSync(fd);
  }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
