"""What an agent must not reach: servers, shared memory, a key, a process. Prints where they are, and ends with its standard input."""
import ctypes, json, os, socket, sys, threading

folder, mark = sys.argv[1:3]
libc = ctypes.CDLL(None, use_errno=True)
name = f"harness-{os.getpid()}"


def serve(family, address):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.bind(address)
    server.listen()

    def answer():
        while True:
            client, _ = server.accept()
            client.sendall(mark.encode())
            client.close()

    threading.Thread(target=answer, daemon=True).start()
    return server.getsockname()


def serve_datagrams():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def answer():
        while True:
            _, sender = server.recvfrom(100)
            server.sendto(mark.encode(), sender)

    threading.Thread(target=answer, daemon=True).start()
    return server.getsockname()[1]


shm = 0x48000000 | os.getpid()
memory = libc.shmget(shm, 4096, 0o1666)
devshm = f"/dev/shm/{name}"
with open(devshm, "w") as file:
    file.write(mark)
key = libc.syscall(248, b"user", name.encode(), mark.encode(), len(mark), -4)  # add_key, to the user's keyring
path = os.path.join(folder, "socket")
serve(socket.AF_UNIX, path)
serve(socket.AF_UNIX, "\0" + name)
disk = os.stat("/").st_dev
print(
    json.dumps(
        {
            "pid": os.getpid(),
            "shm": shm,
            "devshm": devshm,
            "key": name,
            "socket": path,
            "abstract": name,
            "port": serve(socket.AF_INET, ("127.0.0.1", 0))[1],
            "udp": serve_datagrams(),
            "devices": {"disk": [os.major(disk), os.minor(disk)]},
        }
    ),
    flush=True,
)
sys.stdin.read()
libc.shmctl(memory, 0, None)
os.unlink(devshm)
libc.syscall(250, 9, key, -4)  # KEYCTL_UNLINK
