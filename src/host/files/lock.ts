import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { clipped, codeOf, HarnessError } from "../../pure/base/index.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { announce, ask } from "./lock-socket.ts";
import { logError } from "./log-error.ts";

/**
 * A lock that the kernel frees. A process that wants the directory listens on a unix socket in it. The socket of a dead process refuses
 * connections, even after a reboot, so nothing is ever guessed from a pid or an age. A socket with a path is found by its inode: containers
 * that share the directory and the kernel see each other, while abstract sockets of two networks would not. (Hosts that share a directory
 * over a network share the socket's name, not the socket: each sees the other's lock as free.)
 *
 * One rule makes it exclusive: publish first, then look, and hold only after a look that showed no other living socket. Of two processes,
 * the one that published later sees the other. If two see each other, their names decide which one withdraws and waits. No name is ever
 * reused, so anyone can remove a dead one at any time: it cannot have come back to life. (Numbered names can: a process that saw the last
 * number dead, and paused, would take the next one after all names were removed and zero was taken again.)
 */
export interface Lock {
  /** The lock is free when this returns, even in an `exit` handler. May be called again. */
  release(): Promise<void>;
}

/** Who holds a lock. A stopped or busy process does not answer; the fields it did not send are null. */
export interface Owner {
  readonly pid: number;
  readonly host: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number | null;
  readonly command: string | null;
}

interface Claim {
  readonly name: string;
  hold(): void;
  withdraw(): void;
}

interface Rival {
  readonly name: string;
  readonly held: boolean;
  readonly owner: Owner;
}

const PUBLISHED = /^lock\.(\d+)-[0-9a-f]{16}-\d+$/;
const UNPUBLISHED = /^\.lock\.\d+-[0-9a-f]{16}-\d+$/;

/** Whether a socket with this name is a lock, of a living or a dead process. */
export function isLockName(name: string): boolean {
  return PUBLISHED.test(name) || UNPUBLISHED.test(name);
}

/** Contention lasts milliseconds. A process that is still undecided after this long will not decide. */
const PATIENCE_MS = 10_000;

export interface LockOptions {
  /** What the holder does, for the message others get. */
  readonly command: string;
  /** What is locked, for the message. Default: the run in that directory. */
  readonly subject?: string;
}

/** Throws `locked` immediately if this process or another one holds it. */
export async function acquireLock(directory: string, { command, subject }: LockOptions): Promise<Lock> {
  const place = openPlace(directory);
  const ticket = `lock.${process.pid}-${randomBytes(8).toString("hex")}`;
  const deadline = performance.now() + PATIENCE_MS;
  let claim: Claim | undefined;
  try {
    for (let round = 0; ; round++) {
      const { rivals, dead } = await look(place, claim?.name);
      for (const name of dead) place.remove(name);
      const owner = rivals.find(({ held }) => held) ?? (performance.now() > deadline ? rivals[0] : undefined);
      if (owner !== undefined) throw locked(subject ?? `The run ${basename(resolve(directory))}`, owner.owner);
      if (claim !== undefined && rivals.length === 0) return hold(place, claim);
      if (rivals.some(({ name }) => name < ticket)) {
        claim?.withdraw();
        claim = undefined;
      } else claim ??= await publish(place, `${ticket}-${round}`, command, deadline);
      if (rivals.length > 0) await pause(2 + Math.random() * 10);
    }
  } catch (error) {
    claim?.withdraw();
    place.close();
    throw error instanceof HarnessError ? error : logError(`Cannot lock ${directory}`, error, hints[codeOf(error)], "dataDirectory");
  }
}

/** Who is writing in the directory; undefined if no one is. */
export async function lockOwner(directory: string): Promise<Owner | undefined> {
  if (!existsSync(directory)) return undefined;
  const place = openPlace(directory);
  try {
    const { rivals } = await look(place);
    return rivals.find(({ held }) => held)?.owner;
  } catch (error) {
    throw logError(`Cannot find out who is writing in ${directory}`, error);
  } finally {
    place.close();
  }
}

/** Undefined if a new holder cleaned up before our socket had its name. */
async function publish(place: Place, name: string, command: string, deadline: number): Promise<Claim | undefined> {
  const since = Date.now();
  let held = false;
  const answer = () => ({ held, host: hostname(), since, command: clipped(command, 1000) });
  try {
    const announcement = await announce(place.socket(name), place.socket(`.${name}`), answer);
    const withdraw = () => {
      place.remove(name);
      announcement.close();
    };
    return { name, withdraw, hold: () => (held = true) };
  } catch (error) {
    if (codeOf(error) === "ENOENT" && performance.now() < deadline) return undefined;
    throw error;
  }
}

function hold(place: Place, claim: Claim): Lock {
  claim.hold();
  for (const name of place.names()) if (UNPUBLISHED.test(name)) place.remove(name);
  let isReleased = false;
  return {
    async release() {
      if (isReleased) return;
      isReleased = true;
      claim.withdraw();
      place.close();
    },
  };
}

/** Sees every name that exists from before the look begins until it ends: every file system guarantees that for a directory. */
async function look(place: Place, own?: string): Promise<{ rivals: readonly Rival[]; dead: readonly string[] }> {
  const names = place.names().filter((name) => PUBLISHED.test(name) && name !== own);
  const answers = await Promise.all(names.map(async (name) => ({ name, answer: await ask(place.socket(name)) })));
  const rivals = answers.flatMap(({ name, answer }) => {
    if (answer === "dead" || answer === undefined) return [];
    const { held, host, since, command } = answer;
    return [{ name, held, owner: { pid: Number(PUBLISHED.exec(name)?.[1]), host, since, command } }];
  });
  return { rivals, dead: answers.filter(({ answer }) => answer === "dead").map(({ name }) => name) };
}

interface Place {
  names(): readonly string[];
  socket(name: string): string;
  remove(name: string): void;
  close(): void;
}

/** The longest socket path that every system accepts; Linux accepts 107 bytes. A longer path would be cut silently. */
const LONGEST = 103;

function openPlace(directory: string): Place {
  let held: HeldDirectory;
  try {
    held = holdDirectory(directory, { mayBeLink: true });
  } catch (error) {
    throw logError(`Cannot lock ${directory}`, error);
  }
  return {
    names: () => readdirSync(held.path(".")),
    socket(name) {
      const path = held.path(name);
      if (Buffer.byteLength(path) <= LONGEST) return path;
      throw new HarnessError("log", `Cannot lock ${directory}: its path is too long for a socket.`, { option: "dataDirectory" });
    },
    remove(name) {
      try {
        unlinkSync(held.path(name));
      } catch {
        // Another process removed it.
      }
    },
    close: () => held.close(),
  };
}

function locked(subject: string, { pid, host, command }: Owner): HarnessError {
  const who = `process ${pid}${host === null ? "" : ` on host ${host}`}${command === null ? "" : ` (${clipped(command, 120)})`}`;
  return new HarnessError("locked", `${subject} is being written by ${who}; wait for it, or stop it.`);
}

const NO_SOCKETS = "its file system may have no sockets";

const hints: Readonly<Record<string, string>> = { EOPNOTSUPP: NO_SOCKETS, ENOTSUP: NO_SOCKETS, EPERM: NO_SOCKETS, EINVAL: NO_SOCKETS };
