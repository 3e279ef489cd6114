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
    isLocal: (address) => address === "10.0.0.5",
    corePattern: "core",
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
    [
      "J5: a file without a name",
      [
        'openat(AT_FDCWD</w>, "/tmp", O_RDWR|O_TMPFILE, 0600) = 3</tmp/#12>(deleted)',
        'linkat(AT_FDCWD</w>, "/proc/self/fd/3", AT_FDCWD</w>, "x", AT_SYMLINK_FOLLOW) = 0',
        "fchmod(3</tmp/#12>(deleted), 0600) = 0",
      ],
      [],
    ],
    [
      "J2: a file of which nothing is known",
      ['linkat(AT_FDCWD</w>, "/proc/self/fd/3", AT_FDCWD</w>, "x", AT_SYMLINK_FOLLOW) = 0'],
      [],
      ["unresolved-path"],
    ],
    [
      "J2: a file whose name was removed",
      [
        'open("/tmp/x", O_RDONLY) = 3</tmp/x>(deleted)',
        'linkat(AT_FDCWD</w>, "/proc/self/fd/3", AT_FDCWD</w>, "x", AT_SYMLINK_FOLLOW) = 0',
      ],
      [],
      ["unresolved-path"],
    ],
    ["J5: a name that looks like memory", ['open("/memfd:x", O_WRONLY|O_CREAT, 0600) = 3</memfd:x>'], ["/memfd:x"]],
    ["memory", ['open("/proc/self/fd/4", O_RDWR) = 3</memfd:x>(deleted)', "fchmod(3</memfd:x>(deleted), 0600) = 0"], []],
    ["J5: a message queue", ['mq_open("q", O_RDWR|O_CREAT, 0600, NULL) = 3</q>', 'mq_unlink("q") = 0'], ["/dev/mqueue/q"]],
    ["an unknown call", ["syscall_0x1f0(0x1, 0x2) = 0"], [], ["unknown-call"]],
    ["an unknown call that failed", ["syscall_0x1f0(0x1, 0x2) = -1 ENOSYS (Function not implemented)"], []],
    ["a harmless call, shown by its number", ["syscall_0x1c6(0, 0, 0, 0) = 0"], []],
    ["a call with an effect, shown by its number", ["syscall_0x1d5(0xffffff9c, 0x7ffc) = 0"], [], ["unknown-call"]],
    ["an unknown flag", ['openat(AT_FDCWD</w>, "x", O_RDONLY|0x40000000) = 3</w/x>'], [], ["unknown-call"]],
    ["a request that changes a file", ["ioctl(3</tmp/x>, FS_IOC_SETFLAGS, [FS_NODUMP_FL]) = 0"], ["/tmp/x"]],
    ["an unknown request", ["ioctl(3</w/x>, _IOC(_IOC_WRITE, 0x66, 0x99, 0x8), 0x7ffd) = 0"], [], ["unknown-call"]],
    [
      "a harmless request",
      ["ioctl(3</w/x>, BTRFS_IOC_CLONE or FICLONE, 4</w/y>) = 0", "ioctl(1</dev/pts/0>, TCGETS, {c_iflag=ICRNL}) = 0"],
      [],
    ],
    [
      "a filter that lets another process answer",
      ["seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, {len=1}) = 3"],
      [],
      ["unknown-call"],
    ],
    [
      "J2: exchanged with a link",
      [
        'symlink("/tmp", "l") = 0',
        'renameat2(AT_FDCWD</w>, "l", AT_FDCWD</w>, "d", RENAME_EXCHANGE) = 0',
        'mkdir("d/a", 0777) = 0',
        'mkdir("l/b", 0777) = 0',
      ],
      ["/tmp/a"],
    ],
    ["J2: a second name of a link", ['symlink("/tmp", "l") = 0', 'link("l", "m") = 0', 'mkdir("m/a", 0777) = 0'], ["/tmp/a"]],
    [
      "J2: a descriptor replaced by another",
      ['open("d", O_PATH) = 4</w/d>', "dup2(5</tmp>, 4) = 4</tmp>", 'mkdir("/proc/self/fd/4/a", 0777) = 0'],
      ["/tmp/a"],
    ],
    [
      "J2: a descriptor that was received",
      [
        "recvmsg(3<socket:[1]>, {msg_name=NULL, msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[7</tmp>]}], msg_flags=0}, 0) = 1",
        'mkdir("/proc/self/fd/7/a", 0777) = 0',
      ],
      ["/tmp/a"],
    ],
    [
      "J2: a closed descriptor",
      ['open("/w/d", O_PATH) = 4</w/d>', "close(4</w/d>) = 0", 'mkdir("/proc/self/fd/4/a", 0777) = 0'],
      [],
      ["unresolved-path"],
    ],
    [
      "J2: a directory moved below a process",
      ['chdir("d") = 0', 'rename("/w/d", "/tmp/d") = 0', 'mkdir("a", 0777) = 0'],
      ["/tmp/d", "/tmp/d/a"],
    ],
    ["a link of the system", ['chmod("/proc/self/exe", 0755) = 0'], [], ["unresolved-path"]],
    ["the memory of a thread", ['open("/proc/9/task/9/mem", O_RDWR) = 3</proc/9/task/9/mem>'], ["/proc/9/task/9/mem"]],
    ["a link is not its target", ['symlink("/etc", "l") = 0', 'unlink("l") = 0'], []],
    ["through a link made here", ['symlink("/tmp", "l") = 0', 'mkdir("l/a", 0777) = 0', 'chmod("l/../b", 0600) = 0'], ["/tmp/a", "/b"]],
    ["through a moved link", ['symlink("/tmp", "d/l") = 0', 'rename("d", "e") = 0', 'mkdir("e/l/a", 0777) = 0'], ["/tmp/a"]],
    [
      "through the directory that follows a link",
      ['symlink("/tmp", "l") = 0', 'unlink("l") = 0', 'mkdir("l", 0777) = 0', 'mkdir("l/a", 0777) = 0'],
      [],
    ],
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
  const server = (address: string, port: number, ...more: readonly string[]) => [
    "socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_IP) = 3<socket:[1]>",
    ...more,
    `bind(3<socket:[1]>, ${inet(address, 0)}, 16) = 0`,
    "listen(3<socket:[1]>, 5) = 0",
    `getsockname(3<socket:[1]>, ${inet(address, port)}, [16]) = 0`,
  ];
  const client = (address: string, port: number, type = "SOCK_STREAM") => [
    `socket(AF_INET, ${type}, IPPROTO_IP) = 4<socket:[2]>`,
    `connect(4<socket:[2]>, ${inet(address, port)}, 16) = 0`,
  ];
  const cases: readonly (readonly [what: string, calls: readonly string[], connections: readonly string[], sockets?: readonly string[]])[] =
    [
      ["made", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = 0`], ["1.2.3.4:443"]],
      [
        "begun",
        [`connect(3<socket:[1]>, ${six("2001:db8::1", 443)}, 28) = -1 EINPROGRESS (Operation now in progress)`],
        ["[2001:db8::1]:443"],
      ],
      ["J3: refused", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = -1 ECONNREFUSED (Connection refused)`], ["1.2.3.4:443"]],
      [
        "refused on this machine: no one was there",
        [`connect(3<socket:[1]>, ${inet("127.0.0.1", 443)}, 16) = -1 ECONNREFUSED (Connection refused)`],
        [],
      ],
      ["not allowed", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = -1 EACCES (Permission denied)`], []],
      ["still waiting at the end", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = ?`], ["1.2.3.4:443"]],
      ["interrupted, which continues", [`connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = -1 EINTR (Interrupted)`], ["1.2.3.4:443"]],
      ["a message without a port", [`sendto(3<socket:[1]>, "x", 1, 0, ${inet("8.8.8.8", 0)}, 16) = 1`], ["8.8.8.8:0"]],
      [
        "J3: ICMP on a connected socket",
        ["socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) = 3<socket:[1]>", `connect(3<socket:[1]>, ${inet("1.2.3.4", 0)}, 16) = 0`],
        ["1.2.3.4:0"],
      ],
      [
        "only a route lookup",
        ["socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, IPPROTO_IP) = 3<socket:[1]>", `connect(3<socket:[1]>, ${inet("127.0.0.1", 0)}, 16) = 0`],
        [],
      ],
      [
        "J3: a datagram to an address of no family",
        ['sendto(3<socket:[1]>, "x", 1, 0, {sa_family=AF_UNSPEC, sa_data="\\0\\t\\1\\2\\3\\4\\0\\0"}, 16) = 1'],
        ["1.2.3.4:9"],
      ],
      ["an address that is removed", ['connect(3<socket:[1]>, {sa_family=AF_UNSPEC, sa_data="\\0\\t\\1\\2\\3\\4\\0\\0"}, 16) = 0'], []],
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
        [...server("127.0.0.1", 4000), ...client("127.0.0.1", 4000), ...client("127.0.0.1", 4001)],
        ["127.0.0.1:4001"],
      ],
      ["J4: to another address with the server's port", [...server("127.0.0.9", 4000), ...client("127.0.0.1", 4000)], ["127.0.0.1:4000"]],
      ["J4: with another protocol", [...server("127.0.0.1", 4000), ...client("127.0.0.1", 4000, "SOCK_DGRAM")], ["127.0.0.1:4000"]],
      ["J4: to a server on every address", [...server("0.0.0.0", 4000), ...client("127.0.0.7", 4000), ...client("10.0.0.5", 4000)], []],
      ["J4: to the machine's own address", [...client("10.0.0.5", 4000)], ["10.0.0.5:4000"]],
      [
        "J4: after the server was closed",
        [...server("127.0.0.1", 4000), "close(3<socket:[1]>) = 0", ...client("127.0.0.1", 4000)],
        ["127.0.0.1:4000"],
      ],
      [
        "J4: to a server that may share its port",
        [...server("127.0.0.1", 4000, "setsockopt(3<socket:[1]>, SOL_SOCKET, SO_REUSEPORT, [1], 4) = 0"), ...client("127.0.0.1", 4000)],
        ["127.0.0.1:4000"],
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
          "socket(AF_UNIX, SOCK_STREAM, 0) = 3<socket:[1]>",
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

  test.each([
    ["J3: a family that no table knows", "socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)) = 3<socket:[1]>", "unknown-family"],
    ["J3: a protocol that no table knows", "socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP) = 3<socket:[1]>", "unknown-family"],
    ["J3: an option that sends", "setsockopt(3<socket:[1]>, SOL_IP, IP_ADD_MEMBERSHIP, {}, 8) = 0", "unknown-family"],
    [
      "J3: no route, or a router's answer",
      `connect(3<socket:[1]>, ${inet("1.2.3.4", 443)}, 16) = -1 ENETUNREACH (Network is unreachable)`,
      "unsure-connection",
    ],
    [
      "J3: a route lookup, or a message to port 0",
      `socket(AF_INET, SOCK_DGRAM, IPPROTO_IP) = 3<socket:[1]>\nconnect(3<socket:[1]>, ${inet("1.2.3.4", 0)}, 16) = 0`,
      "unsure-connection",
    ],
    [
      "a change of the network",
      "sendto(3<socket:[1]>, [{nlmsg_len=40, nlmsg_type=RTM_NEWADDR, nlmsg_flags=NLM_F_REQUEST}], 40, 0, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 40",
      "unknown-call",
    ],
  ])("%s is a gap", (_, text, reason) => {
    expect(read(mine(...text.split("\n"))).gaps).toEqual([reason]);
  });

  test("a sandbox that sets up its own network", () => {
    const change = (fd: string) =>
      `sendto(${fd}, [{nlmsg_len=40, nlmsg_type=RTM_NEWADDR}], 40, 0, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 40`;
    const socket = "socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_ROUTE) = 3<socket:[1]>";
    expect(read(mine("unshare(CLONE_NEWNET) = 0", socket, change("3<socket:[1]>"))).gaps).toEqual([]);
    expect(read(mine(socket, change("3<socket:[1]>"))).gaps).toEqual(["unknown-call"]);
    expect(read(mine("setns(5, CLONE_NEWNET) = 0", socket, change("3<socket:[1]>"))).gaps).toEqual(["mounts", "unknown-call"]);
  });

  test("J4: a server in a different network namespace is not the one that a process here reaches", () => {
    const lines = ["vfork() = 11", "unshare(CLONE_NEWNET) = 0", ...server("127.0.0.1", 4000)];
    const elsewhere = lines.map((line, i) => `${i === 0 ? 10 : 11} 2.${i}00000 ${line}`);
    const found = read([...elsewhere, ...mine(...client("127.0.0.1", 4000)), "11 4.000000 +++ exited with 0 +++"]);
    expect(found.connections).toEqual(["127.0.0.1:4000"]);
  });
});

describe("J2: calls at the same time", () => {
  const during = (pid: number, at: number, text: string) => `${pid} 3.00000${at} ${text}`;
  const others = ["vfork() = 11", 'symlink("/tmp", "l") = 0', 'mkdir("d", 0777) = 0'];

  test.each([
    ["before it", ['10 mkdir("d/a", 0777) = 0', '11 renameat2(AT_FDCWD</w>, "l", AT_FDCWD</w>, "d", RENAME_EXCHANGE) = 0'], []],
    ["after it", ['11 renameat2(AT_FDCWD</w>, "l", AT_FDCWD</w>, "d", RENAME_EXCHANGE) = 0', '10 mkdir("d/a", 0777) = 0'], ["/tmp/a"]],
    [
      "while it runs",
      [
        '11 renameat2(AT_FDCWD</w>, "l", AT_FDCWD</w>, "d", RENAME_EXCHANGE <unfinished ...>',
        '10 mkdir("d/a", 0777) = 0',
        "11 <... renameat2 resumed>) = 0",
      ],
      "unresolved-path",
    ],
    [
      "around it",
      [
        '10 mkdir("d/a", 0777 <unfinished ...>',
        '11 renameat2(AT_FDCWD</w>, "l", AT_FDCWD</w>, "d", RENAME_EXCHANGE) = 0',
        "10 <... mkdir resumed>) = 0",
      ],
      "unresolved-path",
    ],
  ])("a directory is exchanged with a link, and used %s", (_, calls, expected) => {
    const lines = calls.map((line, at) => during(Number(line.slice(0, 2)), at, line.slice(3)));
    const { writes, gaps } = read([...mine(...others), ...lines, "11 4.000000 +++ exited with 0 +++"]);
    expect({ writes, gaps }).toEqual(typeof expected === "string" ? { writes: [], gaps: [expected] } : { writes: expected, gaps: [] });
  });
});

test("J5: a core dump in the workspace is compared with its files; elsewhere it is a gap", () => {
  const crash = "11 3.000000 +++ killed by SIGSEGV (core dumped) +++";
  expect(read([...mine("vfork() = 11"), crash]).gaps).toEqual([]);
  expect(read([...mine('chdir("/tmp") = 0', "vfork() = 11"), crash]).gaps).toEqual(["kernel-write"]);
});

test("a flag that the system ignores is not a gap; one that strace does not know is", () => {
  const forked = (flag: string) =>
    read([...mine(`clone(child_stack=0x7f, flags=CLONE_FS|${flag}) = 11`), "11 3.000000 +++ exited with 0 +++"]);
  expect(forked("0x400000").gaps).toEqual([]);
  expect(forked("0x80000000000").gaps).toEqual(["unknown-call"]);
});

test("J6: an agent that becomes another program", () => {
  const connects = 'connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("1.2.3.4")}, 16) = 0';
  const start = (argv: string) => `execve("/usr/bin/${argv}", ["${argv}"], 0x1 /* 2 vars */) = 0`;
  expect(read(mine(start("curl"), connects))).toMatchObject({ gaps: ["replaced-agent"], effects: [{ by: "agent" }] });
  expect(read(mine(start("curl"), 'chdir("/") = 0')).gaps).toEqual([]);
  expect(read(mine('execve("/opt/agent-2", ["agent-2"], 0x1 /* 2 vars */) = 0', connects))).toMatchObject({
    gaps: [],
    effects: [{ by: "agent" }],
  });
});
