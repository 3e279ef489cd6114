import { describe, expect, test } from "vitest";
import { isIgnoredPath } from "../../../src/work/observe/commands/trace/ignored-path.ts";
import { traceReader } from "../../../src/work/observe/commands/trace/trace-reader.ts";

test("a fork reported only after its child has started programs and ended: the parent is still known", () => {
  const reader = traceReader();
  for (const line of [
    '10 1.000000 execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0',
    "10 1.100000 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>",
    '11 1.200000 execve("/usr/bin/env", ["env", "uname"], 0x1 /* 2 vars */) = 0',
    '11 1.300000 execve("/bin/uname", ["uname"], 0x1 /* 2 vars */) = 0',
    "11 1.400000 +++ exited with 0 +++",
    "10 1.500000 <... clone resumed>)           = 11",
    "10 1.600000 +++ exited with 5 +++",
  ])
    reader.push(line);
  const { commands, isWhole } = reader.trace();
  expect(commands.map(({ pid, ppid, program, exitCode }) => [pid, ppid, program, exitCode])).toEqual([
    [10, undefined, "/bin/sh", 5],
    [11, 10, "/usr/bin/env", undefined],
    [11, 10, "/bin/uname", 0],
  ]);
  expect(isWhole).toBe(true);
});

test("in a container a fork returns a different process id than strace sees", () => {
  const reader = traceReader();
  for (const line of [
    '10 1.000000 execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0',
    "10 1.100000 vfork( <unfinished ...>",
    '11 1.200000 execve("/bin/true", ["true"], 0x1 /* 2 vars */ <unfinished ...>',
    "10 1.300000 <... vfork resumed>) = 2 /* 11 in strace's PID NS */",
    "11 1.400000 <... execve resumed>) = 0",
    "11 1.500000 +++ exited with 0 +++",
    "10 1.600000 +++ exited with 0 +++",
  ])
    reader.push(line);
  expect(reader.trace().commands.map(({ pid, ppid }) => [pid, ppid])).toEqual([
    [10, undefined],
    [11, 10],
  ]);
});

const WORKSPACE = "/w";
const START = '10 1.000000 execve("/opt/agent", ["agent", "-p"], 0x1 /* 2 vars */) = 0';
const END = "10 9.000000 +++ exited with 0 +++";

/** The effects of these lines, with links on the disk, inside the workspace or outside. */
function read(lines: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const reader = traceReader({
    cwd: WORKSPACE,
    isIgnored: isIgnoredPath,
    links: Object.entries(links).filter(([path]) => path.startsWith(`${WORKSPACE}/`)),
    linkAt: (path) => links[path],
    isAgent: (program) => program === "/opt/agent-2",
  });
  for (const line of [START, ...lines, END]) reader.push(line);
  const { effects, gaps, isWhole, commands } = reader.trace();
  expect(isWhole).toBe(true);
  const of = (kind: string) => effects.filter((effect) => effect.kind === kind).map(({ target }) => target);
  return {
    writes: of("write"),
    sockets: of("socket"),
    connections: of("connection"),
    gaps: gaps.map(({ reason }) => reason),
    effects,
    commands,
  };
}

/** Lines of the first process, with their times. */
const mine = (...calls: readonly string[]) => calls.map((call, index) => `10 2.00000${index} ${call}`);

describe("writes outside the workspace", () => {
  const cases: readonly (readonly [what: string, calls: readonly string[], writes: readonly string[], gaps?: readonly string[]])[] = [
    ["opened to write", ['openat(AT_FDCWD</w>, "/tmp/x", O_WRONLY|O_CREAT, 0666) = 3</tmp/x>'], ["/tmp/x"]],
    ["opened to read", ['openat(AT_FDCWD</w>, "/tmp/x", O_RDONLY) = 3</tmp/x>'], []],
    ["open call cut off by the end", ['openat(AT_FDCWD</w>, "/tmp/x", O_WRONLY|O_CREAT, 0666) = ?'], [], ["unresolved-path"]],
    [
      "open call cut off by the end, in the workspace",
      ['openat(AT_FDCWD</w>, "x", O_WRONLY|O_CREAT, 0666) = ? ERESTARTSYS (To be restarted)'],
      [],
    ],
    ["removal cut off by the end", ['unlink("/tmp/x") = ?'], [], ["unresolved-path"]],
    ["not opened", ['openat(AT_FDCWD</w>, "/tmp/x", O_WRONLY) = -1 EACCES (Permission denied)'], []],
    ["in the workspace", ['openat(AT_FDCWD</w>, "x", O_RDWR) = 3</w/x>'], []],
    ["next to a name with the same beginning", ['openat(AT_FDCWD</w>, "../w2/x", O_RDWR) = 3</w2/x>'], ["/w2/x"]],
    ["through a link, as the system shows it", ['open("l/x", O_WRONLY) = 3</home/x>'], ["/home/x"]],
    ["a file that is gone", ['openat(AT_FDCWD</w>, "/proc/self/fd/4", O_RDWR) = 5</tmp/x>(deleted)'], ["/tmp/x"]],
    ["openat2", ['openat2(AT_FDCWD</w>, "/tmp/x", {flags=O_RDWR|O_CREAT, mode=0600, resolve=0}, 24) = 3</tmp/x>'], ["/tmp/x"]],
    ["a descriptor that is not a file", ['open("/dev/stdout", O_WRONLY) = 3<pipe:[123]>'], []],
    [
      "devices and its own process",
      ['open("/dev/null", O_WRONLY) = 3</dev/null>', 'open("/proc/self/comm", O_RDWR) = 3</proc/10/comm>'],
      [],
    ],
    ["the memory of a different process", ['open("/proc/9/mem", O_RDWR) = 3</proc/9/mem>'], ["/proc/9/mem"]],
    ["the path is not shown", ['open("/tmp/x", O_WRONLY) = 3'], [], ["unresolved-path"]],
    ["relative to the current directory", ['chdir("/tmp") = 0', 'mkdir("a", 0777) = 0'], ["/tmp/a"]],
    ["relative to the unchanged directory", ['chdir("/nowhere") = -1 ENOENT (No such file or directory)', 'mkdir("a", 0777) = 0'], []],
    ["by a descriptor", ["fchdir(4</tmp>) = 0", 'unlink("a") = 0'], ["/tmp/a"]],
    ["in a descriptor's directory", ['mkdirat(4</tmp/d>, "../e", 0777) = 0'], ["/tmp/e"]],
    ["by its descriptor alone", ["fchmod(4</tmp/d>, 0600) = 0", "utimensat(4</tmp/f>, NULL, NULL, 0) = 0"], ["/tmp/d", "/tmp/f"]],
    [
      "renamed out and in",
      ['rename("a", "/tmp/a") = 0', 'renameat2(AT_FDCWD</w>, "/tmp/b", AT_FDCWD</w>, "b", 0) = 0'],
      ["/tmp/a", "/tmp/b"],
    ],
    ["a second name for a file outside", ['link("/etc/hosts", "mine") = 0'], ["/etc/hosts"]],
    ["a file without a name", ['linkat(AT_FDCWD</w>, "/proc/self/fd/3", AT_FDCWD</w>, "x", AT_SYMLINK_FOLLOW) = 0'], []],
    ["a link is not its target", ['symlink("/etc", "l") = 0', 'unlink("l") = 0'], []],
    ["through a link made here", ['symlink("/tmp", "l") = 0', 'mkdir("l/a", 0777) = 0', 'chmod("l/../b", 0600) = 0'], ["/tmp/a", "/b"]],
    ["through a moved link", ['symlink("/tmp", "d/l") = 0', 'rename("d", "e") = 0', 'mkdir("e/l/a", 0777) = 0'], ["/tmp/a"]],
    ["through a removed link", ['symlink("/tmp", "l") = 0', 'unlink("l") = 0', 'mkdir("l/a", 0777) = 0'], [], ["unresolved-path"]],
    [
      "through the name of a descriptor",
      ['open("/tmp", O_RDONLY|O_PATH) = 4</tmp>', 'rename("/proc/self/fd/4/a", "/proc/self/fd/4/b") = 0'],
      ["/tmp/a", "/tmp/b"],
    ],
    ["through an unseen one", ['rename("/proc/self/fd/4/a", "b") = 0'], [], ["unresolved-path"]],
    ["a socket's file", ['bind(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/tmp/s"}, 9) = 0'], ["/tmp/s"]],
    ["a ring", ["io_uring_setup(64, {flags=0}) = 4<anon_inode:[io_uring]>"], [], ["io-uring"]],
    ["no ring", ["io_uring_setup(64, {flags=0}) = -1 ENOSYS (Function not implemented) (INJECTED)"], []],
    ["a different root", ['chroot("/tmp") = 0', 'mkdir("/a", 0777) = 0'], [], ["mounts"]],
    ["hidden from the trace", ["clone(child_stack=NULL, flags=CLONE_UNTRACED|SIGCHLD) = 11", ""], [], ["untraced-process", "outlived"]],
    ["an invalid line", ["openat(AT_FDCWD</w>, bad"], [], ["unread-line"]],
    ["a different architecture", ["[ Process PID=10 runs in 32 bit mode. ]"], [], ["other-abi"]],
  ];
  for (const [what, calls, writes, gaps = []] of cases)
    test(what, () => {
      const found = read(mine(...calls.filter((call) => call !== "")));
      expect({ writes: found.writes, gaps: found.gaps }).toEqual({ writes, gaps });
    });

  test("names that look like parts of the trace", () => {
    const found = read(
      mine(
        'openat(AT_FDCWD</w>, "a>b <unfinished ...>/x\\ny", O_WRONLY|O_CREAT, 0666) = 3</t/a\\76b \\74unfinished ...\\76/x\\ny>',
        'mkdir("/t/\\") = 0 <unfinished ...>", 0777) = 0',
        'mkdir("/t/, O_WRONLY) = 3</w/x>", 0777) = 0',
        'unlink("/t/\\303\\274\\\\\\t")     = 0',
        'openat(AT_FDCWD</w>, "/t/O_WRONLY|O_CREAT", O_RDONLY) = 3</t/O_WRONLY|O_CREAT>',
        'rename("/t/+++ exited with 0 +++", "<... rename resumed>) = 0") = 0',
      ),
    );
    expect(found.writes).toEqual([
      "/t/a>b <unfinished ...>/x\ny",
      '/t/") = 0 <unfinished ...>',
      "/t/, O_WRONLY) = 3</w/x>",
      "/t/ü\\\t",
      "/t/+++ exited with 0 +++",
    ]);
    expect(found.gaps).toEqual([]);
  });

  test("links from before the run, inside the workspace and outside", () => {
    const moved = read(mine('rename("d", "e") = 0', 'mkdir("e/l/a", 0777) = 0', 'rename("l", "m") = 0', 'mkdir("m/a", 0777) = 0'), {
      "/w/d/l": "/tmp",
      "/w/l": "/etc",
    });
    expect(moved).toMatchObject({ writes: ["/tmp/a", "/etc/a"], gaps: [] });
    const brought = read(mine('rename("/tmp/d", "d") = 0', 'mkdir("d/l/a", 0777) = 0'));
    expect(brought).toMatchObject({ writes: ["/tmp/d"], gaps: ["unresolved-path"] });
    const calls = mine('mkdir("old/a", 0777) = 0', 'mkdir("/home/me/w/b", 0777) = 0', 'truncate("round", 0) = 0');
    const { writes, gaps } = read(calls, { "/w/old": "../etc", "/home/me": "/", "/w/round": "round" });
    expect(writes).toEqual(["/etc/a"]);
    expect(gaps).toEqual(["unresolved-path"]);
  });

  test("a child inherits its parent's directory; a thread shares its process's; a fork may be reported late", () => {
    const { writes, effects, commands } = read([
      ...mine('chdir("/tmp") = 0', "vfork( <unfinished ...>"),
      '11 3.000000 mkdir("a", 0777) = 0',
      '11 3.000001 execve("/bin/tool", ["tool"], 0x1 /* 2 vars */ <unfinished ...>',
      "10 3.000002 <... vfork resumed>) = 11",
      "11 3.000003 <... execve resumed>) = 0",
      '11 3.000004 chdir("/srv") = 0',
      "11 3.000005 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD, exit_signal=0}, 88) = 12",
      '12 3.000006 chdir("/opt") = 0',
      '11 3.000007 mkdir("b", 0777) = 0',
      '10 3.000008 mkdir("c", 0777) = 0',
      '12 3.000009 execve("/bin/next", ["next"], 0x1 /* 2 vars */ <unfinished ...>',
      "11 3.000010 +++ superseded by execve in pid 12 +++",
      "11 3.000011 <... execve resumed>) = 0",
      "11 3.000012 +++ exited with 0 +++",
      "10 3.000013 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>",
      "13 3.000014 +++ exited with 0 +++",
      "10 3.000015 <... clone resumed>) = 13",
    ]);
    expect(writes).toEqual(["/tmp/a", "/opt/b", "/tmp/c"]);
    expect(effects.map(({ by, argv }) => [by, argv[0]])).toEqual([
      ["agent", "agent"],
      ["command", "tool"],
      ["agent", "agent"],
    ]);
    expect(commands.map(({ program, pid, ppid, exitCode }) => [program, pid, ppid, exitCode])).toEqual([
      ["/opt/agent", 10, undefined, 0],
      ["/bin/tool", 11, 10, undefined],
      ["/bin/next", 11, 10, 0],
    ]);
  });

  test("a program that the agent starts may be the agent; what that program starts is not", () => {
    const { effects, gaps } = read([
      ...mine("vfork() = 11"),
      '11 3.000000 execve("/opt/agent-2", ["agent-2"], 0x1 /* 2 vars */) = 0',
      '11 3.000001 mkdir("/tmp/a", 0777) = 0',
      "11 3.000002 vfork() = 12",
      '12 3.000003 execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0',
      "12 3.000004 vfork() = 13",
      '13 3.000005 execve("/opt/agent-2", ["agent-2"], 0x1 /* 2 vars */) = 0',
      '13 3.000006 mkdir("/tmp/b", 0777) = 0',
    ]);
    expect(effects.map(({ by, target }) => [by, target])).toEqual([
      ["agent", "/tmp/a"],
      ["command", "/tmp/b"],
    ]);
    expect(gaps).toEqual(["outlived"]);
  });

  test("effects beyond the limit are only counted", () => {
    const calls = Array.from({ length: 20_010 }, (_, i) => `10 2.000000 mkdir("/tmp/${i}", 0777) = 0`);
    const { writes, gaps } = read([...calls, ...calls.slice(0, 5)]);
    expect(writes).toHaveLength(20_000);
    expect(gaps).toEqual(["too-many"]);
  });
});

describe("connections", () => {
  const inet = (address: string, port: number) => `{sa_family=AF_INET, sin_port=htons(${port}), sin_addr=inet_addr("${address}")}`;
  const six = (address: string, port: number) =>
    `{sa_family=AF_INET6, sin6_port=htons(${port}), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "${address}", &sin6_addr), sin6_scope_id=0}`;
  const cases: readonly (readonly [what: string, calls: readonly string[], connections: readonly string[], sockets?: readonly string[]])[] =
    [
      ["made", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = 0`], ["1.2.3.4:443"]],
      [
        "begun",
        [`connect(3<socket:[1]>, ${six("2001:db8::1", 443)}, 28) = -1 EINPROGRESS (Operation now in progress)`],
        ["[2001:db8::1]:443"],
      ],
      ["refused", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = -1 ECONNREFUSED (Connection refused)`], []],
      ["still waiting at the end", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = ?`], ["1.2.3.4:443"]],
      ["interrupted, which continues", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = -1 EINTR (Interrupted)`], ["1.2.3.4:443"]],
      ["a message without a port", [`sendto(3<socket:[1]>, "x", 1, 0, ${inet("8.8.8.8", 0)}, 16) = 1`], ["8.8.8.8:0"]],
      ["only a route lookup", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 0)}, 16) = 0`], []],
      ["a datagram", [`sendto(3<socket:[1]>, "x", 1, 0, ${inet("8.8.8.8", 53)}, 16) = 1`], ["8.8.8.8:53"]],
      ["on an existing connection", ['sendto(3<socket:[1]>, "{sa_family=AF_INET, sin_port=htons(1)}", 9, 0, NULL, 0) = 9'], []],
      [
        "a message",
        [`sendmsg(3<socket:[1]>, {msg_name=${inet("1.1.1.1", 1)}, msg_namelen=16, msg_iov=[{iov_base="}", iov_len=1}]}, 0) = 1`],
        ["1.1.1.1:1"],
      ],
      [
        "messages",
        [
          `sendmmsg(3<socket:[1]>, [{msg_hdr={msg_name=${inet("1.1.1.1", 1)}}, msg_len=1}, {msg_hdr={msg_name=${six("::1", 2)}}}], 2, 0) = 2`,
        ],
        ["1.1.1.1:1", "[::1]:2"],
      ],
      ["to the kernel", ["connect(3<socket:[1]>, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0"], []],
      ["of a different family", ["connect(3<socket:[1]>, {sa_family=AF_VSOCK, svm_cid=0x2, svm_port=0x1}, 16) = 0"], ["AF_VSOCK"]],
      [
        "to a server of the run",
        [
          `bind(3<socket:[1]>, ${inet("127.0.0.1", 0)}, 16) = 0`,
          "listen(3<socket:[1]>, 5) = 0",
          `getsockname(3<socket:[1]>, ${inet("127.0.0.1", 4000)}, [16]) = 0`,
          `connect(4<socket:[2]>, ${inet("127.0.0.1", 4000)}, 16) = 0`,
          `connect(4<socket:[3]>, ${inet("127.0.0.1", 4001)}, 16) = 0`,
        ],
        ["127.0.0.1:4001"],
      ],
      [
        "to a process of the machine",
        ['connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/docker.sock"}, 19) = 0'],
        [],
        ["/run/docker.sock"],
      ],
      ["to an abstract socket", ['connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path=@"x"}, 19) = 0'], [], ["@x"]],
      [
        "to a socket of the run",
        [
          'bind(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="s"}, 9) = 0',
          'connect(4<socket:[2]>, {sa_family=AF_UNIX, sun_path="/w/s"}, 9) = 0',
        ],
        [],
      ],
      ["to a user database", ['connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = 0'], []],
    ];
  for (const [what, calls, connections, sockets = []] of cases)
    test(what, () => {
      const found = read(mine(...calls));
      expect({ connections: found.connections, sockets: found.sockets, gaps: found.gaps }).toEqual({ connections, sockets, gaps: [] });
    });
});
