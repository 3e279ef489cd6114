import { lookup as systemLookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { codeOf } from "../../pure/base/index.ts";
import type { Verdict } from "./policy.ts";
import { isLoopback, isPublic, shownTarget, type Target } from "./target.ts";

/** Resolves a name to all of its addresses. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Why a connection was not made. */
export class NoConnection extends Error {
  /** False: it was allowed, and failed. */
  readonly isDenied: boolean;

  constructor(message: string, isDenied: boolean) {
    super(message);
    this.isDenied = isDenied;
  }
}

const PATIENCE_MS = 30_000;

export const lookupAll: Lookup = async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address);

/**
 * Connects to an allowed target. A name that leads to an address which is not public is denied, whatever else it leads to, and the
 * connection goes to the addresses that were checked: a second answer of the name server cannot change it.
 */
export async function dial(target: Target, { isNamed }: Pick<Verdict, "isNamed">, lookup: Lookup = lookupAll): Promise<Socket> {
  const addresses = await addressesOf(target, isNamed, lookup);
  const hidden = isNamed ? undefined : addresses.find((address) => !isPublic(address));
  if (hidden !== undefined) throw new NoConnection(`${target.host} leads to ${hidden}, which is not a public address`, true);
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      allowHalfOpen: true,
      noDelay: true,
      autoSelectFamily: true,
      lookup: (_host, _options, callback) => callback(null, found),
    });
    const late = setTimeout(() => socket.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })), PATIENCE_MS);
    const failed = (error: unknown) => {
      clearTimeout(late);
      reject(new NoConnection(`${shownTarget(target)} cannot be reached (${codeOf(error)})`, false));
    };
    socket.once("error", failed).once("connect", () => {
      clearTimeout(late);
      socket.off("error", failed);
      resolve(socket);
    });
  });
}

async function addressesOf({ host, isAddress }: Target, isNamed: boolean, lookup: Lookup): Promise<readonly string[]> {
  if (isAddress) return [host];
  if (isNamed && isLoopback(host)) return ["127.0.0.1", "::1"];
  const found = await lookup(host).catch(() => []);
  if (found.length === 0) throw new NoConnection(`${host} cannot be resolved`, false);
  return found;
}
