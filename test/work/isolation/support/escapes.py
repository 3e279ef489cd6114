"""Tries to leave the walls it runs in, and prints a JSON object for each attempt: its name, and whether it succeeded."""
import ctypes, errno, fcntl, glob, json, os, socket, stat, struct, subprocess

outside = json.load(open("outside.json"))
CANARY = outside["canary"]
MARK = outside["mark"].encode()
PID = outside["pid"]
libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD = -100


class Escaped(Exception):
    """It succeeded, and says how."""


def attempt(name, act, *args):
    if name not in outside.get("only", [name]):
        return
    pid = os.fork()  # one attempt cannot spoil the next
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        escaped, why = bool(act(*args)), None
    except Escaped as error:
        escaped, why = True, str(error)
    except BaseException as error:
        escaped, why = False, str(error)[:200]
    os.write(1, (json.dumps({"attempt": name, "escaped": escaped, "why": why}) + "\n").encode())
    os._exit(0)


def read(path):
    with open(path, "rb") as file:
        return MARK in file.read(1 << 20)


def writes(path):
    os.close(os.open(path, os.O_WRONLY))  # never written to: opening is enough
    return True


def created(path):
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return True


def call(number, *args):
    if libc.syscall(number, *args) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return True


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def anywhere(pattern):
    return any(quietly(read, path) for path in glob.glob(pattern))


def quietly(act, *args):
    try:
        return act(*args)
    except OSError:
        return False


def symlinked():
    os.symlink(CANARY, "link")
    return read("link")


def hardlinked():
    os.link(CANARY, "hard")
    return read("hard")


def upwards(start):
    fd = os.open(start, os.O_RDONLY)
    for _ in range(40):
        fd = os.open("..", os.O_RDONLY, dir_fd=fd)
    os.fchdir(fd)
    return read("." + CANARY)


def descriptors():
    """A descriptor that leads to a directory, or to a file outside."""
    for name in os.listdir("/proc/self/fd"):
        fd = int(name)
        if fd <= 2:
            continue
        try:
            mode = os.fstat(fd).st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and os.readlink(f"/proc/self/fd/{fd}") not in (os.getcwd(), f"/proc/{os.getpid()}/fd"):
            return True
        if stat.S_ISREG(mode) and not os.readlink(f"/proc/self/fd/{fd}").startswith(os.getcwd()):
            return True
    return False


def environments():
    return any(quietly(read, f"/proc/{pid}/environ") for pid in pids())


def is_outside(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return MARK in file.read()
    except OSError:
        return False


def visible():
    return any(is_outside(pid) for pid in pids())


def traced(pid):
    call(101, 16, pid, 0, 0)  # PTRACE_ATTACH
    return is_outside(pid)


def signaled(pid):
    os.kill(pid, 0)
    return is_outside(pid)


def shell(line):
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=20)
    return MARK in done.stdout


def unmounted(path):
    if libc.umount2(path.encode(), 2) != 0:
        raise OSError(ctypes.get_errno(), "umount")
    return read(CANARY)


def device(kind):
    for name in outside["devices"]:
        major, minor = outside["devices"][name]
        path = f"node-{name}"
        os.mknod(path, kind | 0o600, os.makedev(major, minor))
        with open(path, "rb") as file:
            file.read(512)
            return True
    raise OSError(errno.ENODEV, "no device outside")


def opened(paths):
    for path in paths:
        if quietly(lambda: os.close(os.open(path, os.O_RDONLY)) is None):
            return True
    return False


def connected(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(3)
        client.connect(address)
        return MARK in client.recv(1000)


def datagram(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(2)
        client.sendto(b"?", ("127.0.0.1", port))
        return MARK in client.recv(1000)


def shared_memory():
    return libc.shmget(outside["shm"], 0, 0) >= 0


def key():
    buffer = ctypes.create_string_buffer(200)
    found = libc.syscall(249, b"user", outside["key"].encode(), None, 0)  # request_key
    if found < 0:
        raise OSError(ctypes.get_errno(), "request_key")
    libc.syscall(250, 11, found, buffer, 200, 0)  # KEYCTL_READ
    return MARK in buffer.raw


def gains():
    """Runs a program with the set-user-id bit."""
    for path in ["/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/usr/bin/chsh"]:
        if os.path.exists(path) and os.stat(path).st_mode & stat.S_ISUID and "NoNewPrivs:\t1" not in open("/proc/self/status").read():
            return True
    return False


def capable():
    status = open("/proc/self/status").read()
    return any(int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("CapEff", "CapPrm", "CapInh", "CapAmb")))


def typed():
    fd = os.open("/dev/tty", os.O_RDWR)
    fcntl.ioctl(fd, 0x5412, b"x")  # TIOCSTI
    return True


def settings():
    """A file of /proc that is not about a process, and that we could write."""
    for folder, names, files in os.walk("/proc"):
        names[:] = [name for name in names if not (folder == "/proc" and (name.isdigit() or name in ("self", "thread-self")))]
        for name in files:
            path = os.path.join(folder, name)
            if not os.path.islink(path) and path != "/proc/sysrq-trigger" and quietly(is_file, path) and quietly(writes, path):
                raise Escaped(path)
    return False


def is_file(path):
    return stat.S_ISREG(os.stat(path).st_mode)  # an engine covers some with /dev/null


def handle():
    buffer = ctypes.create_string_buffer(struct.pack("IiQ", 8, 1, 2) + bytes(128))
    root = os.open("/usr", os.O_RDONLY)
    fd = libc.syscall(304, root, buffer, os.O_RDONLY)  # open_by_handle_at, inode 2: the root of the disk
    if fd < 0:
        raise OSError(ctypes.get_errno(), "open_by_handle_at")
    return True


def chrooted():
    os.mkdir("jail")
    os.chroot("jail")
    return upwards("/")


def renamed():
    here = os.getcwd()
    os.rename(here, here + "-moved")
    os.symlink(os.path.dirname(CANARY), here)
    return True


NS = "unshare -Urm --propagation private"
attempt("read a file outside", read, CANARY)
attempt("write a file outside", writes, CANARY)
attempt("create a file next to it", created, CANARY + ".new")
attempt("read the user's home", read, outside["home"])
attempt("read the recordings", os.listdir, outside["data"])
attempt("follow a link", symlinked)
attempt("make a second name", hardlinked)
attempt("walk up from the workspace", upwards, ".")
attempt("walk up from /proc/self/cwd", upwards, "/proc/self/cwd")
attempt("the root of the first process", read, f"/proc/1/root{CANARY}")
attempt("the roots of all processes", anywhere, f"/proc/*/root{CANARY}")
attempt("the directories of all processes", anywhere, "/proc/*/cwd/../*/canary")
attempt("the files of all processes", anywhere, "/proc/*/map_files/*")
attempt("the variables of all processes", environments)
attempt("the command lines of all processes", visible)
attempt("inherited descriptors", descriptors)
attempt("trace a process outside", traced, PID)
attempt("signal a process outside", signaled, PID)
attempt("the memory of a process outside", lambda: any(is_outside(pid) and writes(f"/proc/{pid}/mem") for pid in [PID, *pids()]))
attempt("a process descriptor from outside", lambda: call(434, PID, 0) and is_outside(PID))
attempt("mount a file system", lambda: libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0)
attempt("mount in a new namespace", shell, f"{NS} sh -c 'mount --bind /proc/1/root /tmp && cat /tmp{CANARY}'")
attempt("unmount in a new namespace", shell, f"{NS} sh -c 'for p in /tmp /home /root /var /run; do umount -l $p; done; cat {CANARY}'")
attempt("unmount what covers", unmounted, "/tmp")
attempt("enter the namespaces of the first process", shell, f"nsenter -t 1 -a cat {CANARY}")
attempt("enter the mounts of a process outside", shell, f"nsenter -t {PID} -m cat {CANARY}")
attempt("change the root twice", chrooted)
attempt("change the root twice in a new namespace", shell, f"mkdir -p j; {NS} sh -c 'chroot j sh; cat {CANARY}'")
attempt("a device node of the disk", device, stat.S_IFBLK)
attempt("devices of the machine", opened, ["/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/port", "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/kvm", "/dev/fuse"])
attempt("the handler of core dumps", writes, "/proc/sys/kernel/core_pattern")
attempt("any other setting of the kernel", settings)
attempt("the loader of modules", writes, "/proc/sys/kernel/modprobe")
attempt("the emergency key", writes, "/proc/sysrq-trigger")
attempt("settings of the kernel", opened, ["/sys/kernel/uevent_helper", "/sys/fs/cgroup/release_agent"])
attempt("a release agent of control groups", shell, "unshare -UrmC sh -c 'mount -t cgroup -o memory x /tmp && echo > /tmp/release_agent && echo " + outside["mark"] + "'")
attempt("a file by its handle", handle)
attempt("programs for the kernel", lambda: call(321, 5, ctypes.create_string_buffer(128), 128))  # BPF_PROG_LOAD
attempt("modules for the kernel", lambda: call(175, b"x", 1, b""))
attempt("capabilities", capable)
attempt("programs that change the user", gains)
attempt("type into a terminal", typed)
attempt("shared memory", shared_memory)
attempt("files in /dev/shm", read, outside["devshm"])
attempt("a key of the user", key)
attempt("a socket with a name outside", connected, socket.AF_UNIX, outside["socket"])
attempt("write to /usr", created, "/usr/harness-was-here")
attempt("write to /etc", created, "/etc/harness-was-here")
attempt("replace the workspace", renamed)
if outside["isSealed"]:
    attempt("a socket without a name", connected, socket.AF_UNIX, "\0" + outside["abstract"])
    attempt("a server on loopback", connected, socket.AF_INET, ("127.0.0.1", outside["port"]))
    attempt("a server on loopback, by IPv6", connected, socket.AF_INET6, ("::1", outside["port"]))
    attempt("a server on loopback, in a new namespace", shell, f"unshare -Urn sh -c 'cat < /dev/tcp/127.0.0.1/{outside['port']}'")
    attempt("a datagram, as for DNS", datagram, outside["udp"])
    attempt("a name server", lambda: socket.getaddrinfo("example.org", 80))
    attempt("a raw socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3).send(b"x" * 60))
print(json.dumps({"attempt": "end", "escaped": False, "why": None}))
