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
 * A lock that the kernel frees. Whoever wants the directory listens on a unix socket in it. The socket of a dead process refuses
 * connections, also after a reboot, so that nothing is ever guessed from a pid or an age. A socket with a path is found by its inode:
 * containers that share the directory and the kernel see each other, where abstract sockets of two networks would not. (Hosts that
 * share a directory over a network share the name of a socket, not the socket: to each of them the other's lock looks free.)
 *
 * One rule makes it exclusive: publish first, then look; hold only after a look that showed no other living socket. Of two processes
 * the one that published later sees the other; two that see each other tell by their names which withdraws, and waits. No name is
 * ever used twice, so a dead one can be removed by anybody at any time: it cannot have come to life in between. (With numbered names
 * it can: who saw the last number dead, and paused, would take the next one after all names were removed and zero was taken again.)
 */
export interface Lock {
  /** Free when it returns, also in a handler of `exit`. May be called again. */
  release(): Promise<void>;
}

/** Who holds a lock; null is what it did not tell, being stopped or busy. */
export interface Owner {
  readonly pid: number;
  readonly host: string | null;
  /** In milliseconds of the epoch. */
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

/** Contention lasts milliseconds: who is undecided for so long will not decide. */
const PATIENCE_MS = 10_000;

export interface LockOptions {
  /** What the holder does, for those who find it locked. */
  readonly command: string;
  /** What is locked, for the message. Default: the run of that directory. */
  readonly subject?: string;
}

/** Throws `locked`, at once, where another holds it, in this process or in any other. */
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
    throw error instanceof HarnessError ? error : logError(`Cannot lock ${directory}`, error, remedies[codeOf(error)]);
  }
}

/** Who is writing in the directory; undefined where nobody is, or no more. */
export async function lockOwner(directory: string): Promise<Owner | undefined> {
  if (!existsSync(directory)) return undefined;
  const place = openPlace(directory);
  try {
    const { rivals } = await look(place);
    return rivals.find(({ held }) => held)?.owner;
  } catch (error) {
    throw logError(`Cannot tell who is writing ${directory}`, error);
  } finally {
    place.close();
  }
}

/** Undefined where a new holder has tidied up before our socket had its name. */
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

/** A name that is there from before it begins until it ends is seen by it: so much every file system promises of a directory. */
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
  /** The path of a socket, short enough for the system. */
  socket(name: string): string;
  remove(name: string): void;
  close(): void;
}

/** The longest path of a socket that every system takes; Linux takes 107 bytes. What is longer would silently be cut. */
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
      throw new HarnessError("log", `Cannot lock ${directory}: its path is too long for a socket; set XDG_DATA_HOME to a shorter one.`);
    },
    remove(name) {
      try {
        unlinkSync(held.path(name));
      } catch {
        // Somebody else has.
      }
    },
    close: () => held.close(),
  };
}

function locked(subject: string, { pid, host, command }: Owner): HarnessError {
  const who = `process ${pid}${host === null ? "" : ` on host ${host}`}${command === null ? "" : ` (${clipped(command, 120)})`}`;
  return new HarnessError("locked", `${subject} is being written by ${who}; wait for it, or stop it.`);
}

const NO_SOCKETS = "its file system may have no sockets: set XDG_DATA_HOME to a local directory";

const remedies: Readonly<Record<string, string>> = { EOPNOTSUPP: NO_SOCKETS, ENOTSUP: NO_SOCKETS, EPERM: NO_SOCKETS, EINVAL: NO_SOCKETS };
