import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckStatus } from "../../../src/pure/events/index.ts";
import { oddMachine, whyNot } from "./odd/odd-runs.ts";

/** Effects in unusual ways, by real programs. The disk, a packet capture and servers show that each one happened. */

const reason = whyNot();

test("this machine can run the odd programs", ({ skip }) => {
  if (reason === undefined) return;
  expect(process.env["CI"], `${reason}: these tests prove nothing here`).toBeUndefined();
  skip(reason);
});

let machine: Awaited<ReturnType<typeof oddMachine>>;
beforeAll(async () => {
  if (reason === undefined) machine = await oddMachine();
});
afterAll(() => machine?.close());

type Case = readonly [title: string, script: readonly string[], status: "fail" | "unknown" | "pass", says?: string];

// biome-ignore format: a table
const FILES: readonly Case[] = [
  ["J2: a second name by way of a descriptor", ["open,0,$O/a,r", "linkfd,0,$W/mine", "open,1,$W/mine,w", "write,1"], "fail", "outside/a"],
  ["J2: a second name of an empty path", ["open,0,$O/a,r", "linkempty,0,mine", "open,1,mine,w", "write,1"], "fail", "outside/a"],
  ["J2: a second name behind a followed link", ["linkfollow,file,mine", "open,1,mine,w", "write,1"], "fail", "outside/a"],
  ["J2: a link exchanged with a directory", ["exchange,out,d", "mkdir,d/x"], "fail", "outside/x"],
  ["J2: a second name of a link", ["link,out,second", "mkdir,second/x"], "fail", "outside/x"],
  ["J2: a descriptor replaced by another", ["open,0,$W/d,d", "open,1,$O,d", "dup2,0,1", "mkdirfd,0,x"], "fail", "outside/x"],
  ["J2: a replaced descriptor in /dev/fd", ["open,0,$W/d,d", "open,1,$O,d", "dup3,0,1", "mkdirdev,0,x"], "fail", "outside/x"],
  ["J2: a descriptor of a process by its number", ["open,0,$O,d", "mkdirpid,0,x"], "unknown"],
  ["J2: a descriptor that was closed and opened again", ["open,0,$W/d,d", "close,0", "open,1,$O,d", "mkdirfd,1,x"], "fail", "outside/x"],
  ["J2: a passed descriptor", ["open,0,$O,d", "pass,1,0", "close,0", "mkdirfd,1,x"], "fail", "outside/x"],
  ["J2: a directory moved below its descriptor", ["open,0,$W/d,d", "rename,d,$O/moved", "mkdirfd,0,x"], "fail", "outside/moved/x"],
  ["J2: a directory moved below the process in it", ["chdir,d", "rename,$W/d,$O/moved", "mkdir,x"], "fail", "outside/moved/x"],
  ["J2: a descriptor after a program start", ["open,0,$O,d", "exec", "mkdirfd,0,x"], "fail", "outside/x"],
  ["J2: a descriptor in a program from memory", ["open,0,$O,d", "execmem", "mkdirfd,0,x"], "fail", "outside/x"],
  ["J2: a link outside that is removed later", ["mkdir,$O/l/x", "unlink,$O/l"], "fail", "outside"],
  ["J2: a link with a slash", ["chown,out/", "lchown,out/."], "fail", "outside"],
  ["J2: the name of the workspace itself", ["rename,$W,$W-2"], "fail"],
  ["by file handle", ["handle,0,$O/a,w", "write,0"], "unknown", "open_by_handle_at"],
  ["by /proc/self/cwd", ["chdir,$O", "reopencwd,0,a,w", "write,0"], "fail", "outside/a"],
  ["opened again to write", ["open,0,$O/a,r", "reopen,1,0,w", "mmap,1", "write,1"], "fail", "outside/a"],
  ["through shared memory", ["open,0,$O/a,b", "mmap,0"], "fail", "outside/a"],
  ["copied by the system", ["open,0,a,r", "open,1,$O/a,w", "copy,0,1"], "fail", "outside/a"],
  ["spliced", ["open,1,$O/a,w", "splice,1"], "fail", "outside/a"],
  ["sent to a file", ["open,0,a,r", "open,1,$O/a,w", "sendfile,0,1"], "fail", "outside/a"],
  ["attributes by request", ["open,0,$O/a,r", "chattr,0"], "fail", "outside/a"],
  ["attributes by a new call", ["setxattrat,$O/a"], "unknown", "setxattrat"],
  ["mode by a new call", ["open,0,$O,d", "fchmodat2,0,a"], "unknown", "fchmodat2"],
  ["in a 32-bit call", ["mkdir32,$O/x"], "fail", "outside/x"],
  ["mode of a program in /proc", ["chmodexe"], "unknown", "/proc/self/exe"],
  ["below a different root", ["chroot,$O", "mkdir,/x"], "unknown", "mounting"],
  ["in its own mounts", ["bindmount,$O,$W/d", "mkdir,d/x"], "unknown", "mounting"],
  ["by io_uring, which no program can create", ["ring,$O/x"], "pass"],
  ["in a thread and in children", ["thread,mkdir,$O/x", "fork,mkdir,$O/y", "vfork,mkdir,$O/z"], "fail", "3 paths"],
  ["J5: a core dump outside", ["core,$O"], "unknown", "core dump"],
  ["J5: a message queue", ["mq,/odd-queue"], "fail", "/dev/mqueue/odd-queue"],
  ["J5: a file without a name", ["open,0,$O,tw", "write,0", "fchmod,0"], "pass"],
  ["J5: a file without a name that gets one in the workspace", ["open,0,$O,tw", "write,0", "linkfd,0,named", "fchmod,0"], "pass"],
  ["J5: a file without a name that gets one outside", ["open,0,$W,tw", "write,0", "linkfd,0,$O/named"], "fail", "outside/named"],
  ["memory is not a file", ["memfd,0", "write,0", "fchmod,0", "reopen,1,0,w"], "pass"],
  ["everything in the workspace", ["mkdir,x", "exchange,in,d", "mkdir,in/y", "link,a,c", "rename,c,x/c", "open,0,x,d", "mkdirfd,0,z", "unlink,file"], "pass"],
];

test.skipIf(reason)("J2: links that change while they are used: never a pass", { timeout: 60_000 }, async () => {
  const { paths, changed, effects, gaps } = await machine.run(["race,in,out"]); // which thread wins differs
  expect(paths.status, JSON.stringify({ effects, gaps, changed })).not.toBe("pass");
});

test.skipIf(reason)("a file outside that looks like memory", { timeout: 60_000 }, async () => {
  const run = await machine.run(["open,0,/memfd:odd,wc", "write,0"]);
  rmSync("/memfd:odd", { force: true });
  expect(run.paths).toMatchObject({ status: "fail", message: expect.stringContaining("/memfd:odd") });
});

// biome-ignore format: a table
const CONTACTS: readonly Case[] = [
  ["J3: a datagram to an address of no family", ["udpunspecified,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["J3: raw ICMP", ["icmp,198.51.100.7"], "fail", "198.51.100.7:0"],
  ["J3: raw ICMP on a connected socket", ["icmpconnected,198.51.100.7"], "fail", "198.51.100.7:0"],
  ["J3: ICMP without privileges", ["ping,198.51.100.7"], "unknown", "198.51.100.7:0"],
  ["J3: a frame", ["packet"], "fail", "AF_PACKET"],
  ["J3: a frame on a bound socket", ["packetbound"], "unknown", "AF_PACKET"],
  ["J3: another protocol", ["udplite,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["a datagram", ["udp,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["datagrams", ["udpmsg,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["a datagram to port 0 of a connected socket", ["udpconnected,198.51.100.7,0"], "unknown", "198.51.100.7:0"],
  ["a passed socket", ["udppassed,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["a quick connection", ["fastopen,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["a connection that is not awaited", ["tcpnow,198.51.100.7,9"], "fail", "198.51.100.7:9"],
  ["J4: another address with the port of an own server", ["serve,0,127.0.0.9,7001", "tcp,127.0.0.1,7001"], "unknown", "127.0.0.1:7001"],
  ["J4: another protocol with the port of an own server", ["serve,0,127.0.0.9,7001", "udp,127.0.0.1,7001"], "unknown", "127.0.0.1:7001"],
  ["J4: an own server in another network", ["thread,serveapart,0,127.0.0.1,7001", "tcp,127.0.0.1,7001"], "unknown", "127.0.0.1:7001"],
  ["J4: an own server", ["serve,0,127.0.0.1,7002", "tcp,127.0.0.1,7002", "fork,tcp,127.0.0.1,7002"], "pass"],
  ["J4: an own server on every address", ["serve,0,0.0.0.0,7002", "tcp,127.0.0.1,7002", "exec", "tcp,127.0.0.5,7002"], "pass"],
  ["J4: an own server for datagrams", ["serveudp,0,127.0.0.1,7002", "udp,127.0.0.1,7002"], "pass"],
  ["J4: a server that was closed", ["serve,0,127.0.0.1,7002", "close,0", "tcpnow,127.0.0.1,7002"], "unknown", "127.0.0.1:7002"],
  ["no one listens", ["tcp,127.0.0.1,7009"], "pass"],
  ["a socket of another process", ["unix,$O/socket"], "unknown", "outside/socket"],
  ["a socket of another process, under a second name", ["symlink,$O/socket,s", "unix,s"], "unknown", "outside/socket"],
  ["an own socket", ["serveunix,0,own", "unix,own", "serveunix,1,@own", "unix,@own"], "pass"],
];

describe.skipIf(reason)("what happened on the disk", () => {
  for (const [title, script, status, says = ""] of FILES)
    test(`${title}: ${status}`, { timeout: 60_000 }, () => onDisk(script, status, says));
});

async function onDisk(script: readonly string[], status: CheckStatus, says: string): Promise<void> {
  const { paths, changed, effects, gaps } = await machine.run(script);
  if (!says.includes("mqueue")) expect(changed.length > 0).toBe(status !== "pass"); // queues are files only if their file system is mounted
  expect(paths, JSON.stringify({ effects, gaps, changed })).toMatchObject({ status, message: expect.stringContaining(says) });
}

describe.skipIf(reason)("what happened on the network", () => {
  for (const [title, script, status, says = ""] of CONTACTS)
    test(`${title}: ${status}`, { timeout: 60_000 }, () => onNetwork(script, status, says));
});

async function onNetwork(script: readonly string[], status: CheckStatus, says: string): Promise<void> {
  const { network, contacted, effects, gaps } = await machine.run(script);
  if (!says.includes(":7002")) expect(contacted.length > 0).toBe(status !== "pass"); // no one is there, which the trace cannot know
  expect(network, JSON.stringify({ effects, gaps, contacted })).toMatchObject({ status, message: expect.stringContaining(says) });
}

test.skipIf(reason)("J3: joining a group sends a report later: unknown", { timeout: 60_000 }, async () => {
  const { network } = await machine.run(["join"]);
  expect(network).toMatchObject({ status: "unknown", message: expect.stringContaining("IP_ADD_MEMBERSHIP") });
});

test.skipIf(reason)("J6: an agent that becomes another program, which connects, is unknown", { timeout: 60_000 }, async () => {
  const { network, effects } = await machine.run(["udp,198.51.100.7,9"], { replacesAgent: true });
  expect(effects).toEqual(["connection 198.51.100.7:9 agent"]);
  expect(network).toMatchObject({ status: "unknown", message: expect.stringContaining("became another program") });
  const strict = await machine.run(["udp,198.51.100.7,9"], { replacesAgent: true, network: { agent: true } });
  expect(strict.network.status).toBe("fail");
});
