import { randomBytes, timingSafeEqual } from "node:crypto";

/** Access to the page: a token that lives as long as its server. */
export interface Visit {
  readonly token: string;
  /** Whether a request's `Authorization` header carries the token. */
  isVisitor(authorization: string | undefined): boolean;
}

/**
 * The token is in the fragment of the printed address, which browsers do not send. The page keeps it in its local storage, which only its
 * own port can read, and sends it in a header, which other sites cannot.
 */
export function visit(): Visit {
  const token = randomBytes(32).toString("base64url");
  const expected = Buffer.from(`Bearer ${token}`);
  return {
    token,
    isVisitor(authorization = "") {
      const given = Buffer.from(authorization);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
