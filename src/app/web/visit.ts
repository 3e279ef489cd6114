import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openToRead, writeAtomically } from "../../host/files/index.ts";

/** Access to the page: the token of this server, exchanged for a cookie that lasts half a day. */
export interface Visit {
  /** Part of the printed address; valid while this server runs. */
  readonly token: string;
  isToken(text: string): boolean;
  /** The `Set-Cookie` header. */
  cookie(now: number): string;
  isVisitor(cookies: string | undefined, now: number): boolean;
}

const COOKIE = /^([^=]+)=(\d{1,16})\.([\w-]{43})$/;
const HALF_A_DAY_MS = 12 * 3_600_000;

/**
 * The cookie is signed with a key that outlives the server, so that an open page continues when the server restarts on the same port.
 * Anyone who can read the key can read the runs anyway.
 */
export function visit(key: Buffer, port: number): Visit {
  const token = randomBytes(32).toString("base64url");
  const name = `harness_${port}`; // all ports of a host share their cookies
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

/** The key of this cache directory, created on first use. */
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
