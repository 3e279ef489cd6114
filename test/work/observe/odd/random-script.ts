/** Random scripts for `odd.c`. The same seed gives the same script. */

export function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return { next, pick };
}

type Random = ReturnType<typeof randomOf>;
/** What a script may reach. */
export type Reach = "inside" | "files" | "network" | "everything";

const NAMES = ["a", "b", "c", "d", "e", "d/f", "d/e", "d/up", "in", "out", "l", "x", "x/y", "second", "file", "hard", "back"];
const ODD_BASES = ["", "", "", "./", "d/../", "in/../", ".//", "d/e/../../"];
/** From the workspace to what is outside. */
const WAYS_OUT = ["$O/", "$O/d/", "out/", "d/up/", "../outside/", "$O/back/out/", "/proc/self/cwd/../outside/", "$O/d/../l/../", "in/up/"];
const INSIDE_NAMES = NAMES.filter((name) => !["out", "file", "d/up", "back"].includes(name));

function place({ next, pick }: Random, isFree: boolean): string {
  if (isFree && next() < 0.5) return pick(WAYS_OUT) + pick(NAMES);
  const path = (next() < 0.3 ? "$W/" : pick(ODD_BASES)) + pick(isFree ? NAMES : INSIDE_NAMES);
  return next() < 0.05 ? `${path}/` : path;
}

const REMOTE = ["198.51.100.7,9", "198.51.100.8,443", "198.51.100.9,0"];
const HERE = ["127.0.0.1,7001", "127.0.0.1,7002", "127.0.0.9,7001", "127.0.0.1,7009", "0.0.0.0,7001", "127.0.0.5,7002"];
const FLAGS = ["r", "w", "b", "wc", "bc", "wx", "d", "dp", "p", "rn", "be", "wca", "de", "dt", "tw", "tb"];

function fileOperation(random: Random, isFree: boolean): string {
  const { pick } = random;
  const at = () => place(random, isFree);
  const r = () => pick(["0", "1", "2", "3"]);
  const flags = () => pick(FLAGS);
  const operations: readonly (() => string)[] = [
    () => `open,${r()},${at()},${flags()}`,
    () => `open,${r()},${at()},${pick(["d", "dp", "r"])}`,
    () => `openat,${r()},${r()},${pick(NAMES)},${flags()}`,
    () => `openat2,${r()},${r()},${pick(NAMES)},${pick(["r", "w", "b", "wc"])}`,
    () => `creat,${r()},${at()}`,
    () => `handle,${r()},${at()},${pick(["r", "w"])}`,
    () => `reopen,${r()},${r()},${pick(["r", "w", "d", "b"])}`,
    () => `reopencwd,${r()},${pick(NAMES)},${flags()}`,
    () => `${pick(["dup", "dup2", "dup3", "dupfd", "pass"])},${r()},${r()}`,
    () => `${pick(["close", "closerange"])},${r()}`,
    () => `${pick(["write", "pwritev", "ftruncate", "fallocate", "mmap", "splice", "chattr", "fchmod", "futimens", "fsetxattr"])},${r()}`,
    () => `${pick(["copy", "sendfile", "clone"])},${r()},${r()}`,
    () => `${pick(["mkdir", "mkdir", "mkdir32", "mknod", "rmdir", "unlink"])},${at()}`,
    () => `${pick(["mkdirat", "mkdirfd", "mkdirpid", "mkdirdev", "unlinkat", "fchmodat", "fchmodat2"])},${r()},${pick(NAMES)}`,
    () => `${pick(["rename", "exchange", "link", "linkfollow", "whiteout"])},${at()},${at()}`,
    () => `renameat,${r()},${pick(NAMES)},${r()},${pick(NAMES)}`,
    () => `${pick(["linkfd", "linkempty"])},${r()},${at()}`,
    () =>
      `symlink,${isFree ? pick(["$O", "$O/d", "../outside", "d", "$W", "/proc/self/cwd", "/proc/self/fd/3"]) : pick(["d", "a", "$W/d", "."])},${at()}`,
    () => `symlinkat,${isFree ? pick(["$O", "d"]) : "d"},${r()},${pick(NAMES)}`,
    () => `${pick(["chmod", "chown", "lchown", "utimens", "setxattr", "setxattrat", "removexattr", "truncate"])},${at()}`,
    () => `chdir,${at()}`,
    () => `fchdir,${r()}`,
    () => pick(["unshare", "memfd,1", "exec", "execmem", "exec"]),
    ...(isFree
      ? [
          () => `ring,${at()}`,
          () =>
            pick([
              `chroot,${at()}`,
              `bindmount,$O,$W/d`,
              `core,${pick(["$O", "$W"])}`,
              "mq,/odd-queue",
              "chmodexe",
              "race,in,out",
              "race,d,out",
            ]),
        ]
      : []),
  ];
  return pick(operations)();
}

function networkOperation({ next, pick }: Random): string {
  const to = next() < 0.4 ? pick(REMOTE) : pick(HERE);
  const host = to.replace(/,.*/, "");
  return pick([
    () => `${pick(["tcp", "tcpnow", "fastopen"])},${to.startsWith("198") ? pick(HERE) : to}`, // a connection to another machine never ends
    () => `tcpnow,${to}`,
    () => `${pick(["udp", "udpmsg", "udpconnected", "udpunspecified", "udppassed", "udplite"])},${to}`,
    () => `${pick(["icmp", "icmpconnected", "ping"])},${host}`,
    () => pick(["packet", "packetbound", "join"]),
    () => `unix,${pick(["$O/socket", "out/socket", "own", "$W/own", "@own", "../outside/socket"])}`,
    () => `${pick(["serve", "serveudp", "serveapart"])},${pick(["4", "5"])},${pick(HERE)}`,
    () => `serveunix,${pick(["4", "5"])},${pick(["own", "@own"])}`,
    () => `close,${pick(["4", "5"])}`,
    () => "exec",
  ])();
}

export function randomScript(seed: number): { readonly script: readonly string[]; readonly reach: Reach; readonly replacesAgent: boolean } {
  const random = randomOf(seed);
  const { next, pick } = random;
  const reach = pick<Reach>(["inside", "files", "files", "network", "everything"]);
  const start = reach === "network" ? [] : ["open,0,$W/d,d", "open,2,a,b"];
  if (reach === "files" || reach === "everything") start.push("open,1,$O,d", `open,3,$O/a,${pick(["r", "p", "r"])}`);
  const script = Array.from({ length: 2 + Math.floor(next() * 12) }, () => {
    const isNetwork = reach === "network" || (reach === "everything" && next() < 0.4);
    const operation = isNetwork ? networkOperation(random) : fileOperation(random, reach !== "inside");
    const way = next();
    if (operation.startsWith("exec") || way > 0.2) return operation;
    return `${way < 0.07 ? "fork" : way < 0.1 ? "vfork" : "thread"},${operation}`;
  });
  return { script: [...start.filter(() => next() < 0.8), ...script], reach, replacesAgent: next() < 0.1 };
}
