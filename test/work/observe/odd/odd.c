/* Does what its script says, in unusual ways: one operation per argument, words separated by commas.
   Descriptors live in registers 0 to 9. An operation that fails is ignored: only what happened counts. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/if_packet.h>
#include <linux/io_uring.h>
#include <mqueue.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static int fds[10];

static int reg(const char *word) { return fds[atoi(word) % 10]; }
static void put(const char *word, int fd) { if (fd >= 0) fds[atoi(word) % 10] = fd; }
static const char *fdpath(int fd) { static __thread char text[64]; snprintf(text, sizeof text, "/proc/self/fd/%d", fd); return text; }

static int flags(const char *text) {
  int found = O_RDONLY;
  for (; *text; text++) switch (*text) {
    case 'w': found |= O_WRONLY; break;
    case 'b': found |= O_RDWR; break;
    case 'c': found |= O_CREAT; break;
    case 'x': found |= O_TRUNC; break;
    case 'a': found |= O_APPEND; break;
    case 'd': found |= O_DIRECTORY; break;
    case 'p': found |= O_PATH; break;
    case 't': found |= O_TMPFILE; break;
    case 'e': found |= O_CLOEXEC; break;
    case 'n': found |= O_NOFOLLOW; break;
  }
  return found;
}

static struct sockaddr_storage address; static socklen_t length;
static void inet(const char *host, const char *port) {
  memset(&address, 0, sizeof address);
  struct sockaddr_in *four = (void *)&address; struct sockaddr_in6 *six = (void *)&address;
  if (strchr(host, ':')) { six->sin6_family = AF_INET6; six->sin6_port = htons(atoi(port)); inet_pton(AF_INET6, host, &six->sin6_addr); length = sizeof *six; }
  else { four->sin_family = AF_INET; four->sin_port = htons(atoi(port)); inet_pton(AF_INET, host, &four->sin_addr); length = sizeof *four; }
}
static void local(const char *path) {
  struct sockaddr_un *unix_ = (void *)&address;
  memset(&address, 0, sizeof address);
  unix_->sun_family = AF_UNIX;
  int abstract = path[0] == '@';
  strncpy(unix_->sun_path + abstract, path + abstract, sizeof unix_->sun_path - 2);
  length = offsetof(struct sockaddr_un, sun_path) + strlen(path) + (abstract ? 0 : 1);
}
/* Sends to an address that was just set, or connects to it. */
static void to(int fd, const void *data, int size, int how) { sendto(fd, data, size, how | MSG_NOSIGNAL, (void *)&address, length); }
static int dial(int fd) { return connect(fd, (void *)&address, length); }
static int named(int fd) { return bind(fd, (void *)&address, length); }
static int sock(const char *host, int type, int protocol) { return socket(strchr(host, ':') ? AF_INET6 : AF_INET, type, protocol); }

/* Passes a descriptor to this process itself, through a socket. */
static int passed(int fd) {
  int pair[2], got = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return -1;
  char control[CMSG_SPACE(sizeof(int))], byte = 'x';
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET; head->cmsg_type = SCM_RIGHTS; head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &fd, sizeof(int));
  if (sendmsg(pair[0], &message, 0) == 1) {
    message.msg_controllen = sizeof control;
    if (recvmsg(pair[1], &message, 0) == 1 && (head = CMSG_FIRSTHDR(&message))) memcpy(&got, CMSG_DATA(head), sizeof(int));
  }
  close(pair[0]); close(pair[1]);
  return got;
}

static int byhandle(const char *path, int how) {
  struct { struct file_handle head; char rest[128]; } handle; int mount_, top = open("/", O_RDONLY);
  handle.head.handle_bytes = 128;
  if (name_to_handle_at(AT_FDCWD, path, &handle.head, &mount_, 0)) return -1;
  int fd = open_by_handle_at(top, &handle.head, how);
  close(top);
  return fd;
}

static void icmp(int fd, const char *host) {
  struct icmphdr echo = {.type = ICMP_ECHO, .checksum = htons(0xf7ff)};
  if (host) { inet(host, "0"); to(fd, &echo, sizeof echo, 0); }
  else if (write(fd, &echo, sizeof echo)) {}
}

static void packet(int bound) {
  struct sockaddr_ll link = {.sll_family = AF_PACKET, .sll_protocol = htons(0x88b5), .sll_ifindex = if_nametoindex("lo"), .sll_halen = 6};
  char frame[64] = {0}; frame[12] = 0x88; frame[13] = 0xb5;
  int fd = socket(AF_PACKET, SOCK_RAW, htons(0x88b5));
  if (bound && !bind(fd, (void *)&link, sizeof link)) { if (write(fd, frame, sizeof frame)) {} }
  else sendto(fd, frame, sizeof frame, 0, (void *)&link, sizeof link);
}

static void ring(const char *path) {
  struct io_uring_params how; memset(&how, 0, sizeof how);
  int fd = syscall(SYS_io_uring_setup, 4, &how);
  if (fd < 0) return;
  char *sq = mmap(0, how.sq_off.array + how.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
  struct io_uring_sqe *entry = mmap(0, how.sq_entries * sizeof *entry, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
  memset(entry, 0, sizeof *entry);
  entry->opcode = 37; /* IORING_OP_MKDIRAT */ entry->fd = AT_FDCWD; entry->addr = (uintptr_t)path; entry->len = 0777;
  ((unsigned *)(sq + how.sq_off.array))[0] = 0;
  (*(unsigned *)(sq + how.sq_off.tail))++;
  syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
}

/* A path in the lower 4 GB, for calls of the 32-bit kind. */
static void mkdir32(const char *path) {
#ifdef __x86_64__
  char *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0); long result;
  strcpy(low, path);
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(39L), "b"((long)low), "c"(0777L) : "memory");
#else
  mkdir(path, 0777);
#endif
}

static volatile int swapping;
static void *swapper(void *pair) {
  char **paths = pair;
  while (swapping) syscall(SYS_renameat2, AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE);
  return 0;
}

static void one(int count, char **w);
struct job { int count; char **w; };
static void *threaded(void *text) { struct job *job = text; one(job->count, job->w); return 0; }

#define OP(name_) if (!strcmp(w[0], name_))
#define BYTES "odd\n", 4
static void one(int count, char **w) {
  int fd, pair[2]; char *map; char buffer[4096]; (void)count;
  OP("open") put(w[1], open(w[2], flags(w[3]), 0644));
  OP("openat") put(w[1], openat(reg(w[2]), w[3], flags(w[4]), 0644));
  OP("openat2") { struct { uint64_t flags, mode, resolve; } how = {flags(w[4]), flags(w[4]) & O_CREAT ? 0644 : 0, 0}; put(w[1], syscall(437, reg(w[2]), w[3], &how, sizeof how)); }
  OP("creat") put(w[1], creat(w[2], 0644));
  OP("handle") put(w[1], byhandle(w[2], flags(w[3])));
  OP("reopen") put(w[1], open(fdpath(reg(w[2])), flags(w[3])));
  OP("reopencwd") { snprintf(buffer, sizeof buffer, "/proc/self/cwd/%s", w[2]); put(w[1], open(buffer, flags(w[3]), 0644)); }
  OP("dup") put(w[1], dup(reg(w[2])));
  OP("dup2") dup2(reg(w[2]), reg(w[1]));
  OP("dup3") dup3(reg(w[2]), reg(w[1]), O_CLOEXEC);
  OP("dupfd") put(w[1], fcntl(reg(w[2]), F_DUPFD, 100));
  OP("pass") put(w[1], passed(reg(w[2])));
  OP("close") close(reg(w[1]));
  OP("closerange") syscall(436, reg(w[1]), reg(w[1]), 0);
  OP("memfd") put(w[1], memfd_create("odd", 0));
  OP("write") { if (write(reg(w[1]), BYTES)) {} }
  OP("pwritev") { struct iovec part = {"odd\n", 4}; if (pwritev(reg(w[1]), &part, 1, 2)) {} }
  OP("ftruncate") { if (ftruncate(reg(w[1]), 3)) {} }
  OP("fallocate") fallocate(reg(w[1]), 0, 0, 9000);
  OP("mmap") { if ((map = mmap(0, 4, PROT_WRITE, MAP_SHARED, reg(w[1]), 0)) != MAP_FAILED) { struct stat s; if (!fstat(reg(w[1]), &s) && s.st_size >= 4) memcpy(map, "MAP\n", 4); munmap(map, 4); } }
  OP("copy") { loff_t from = 0; syscall(SYS_copy_file_range, reg(w[1]), &from, reg(w[2]), NULL, 4, 0); }
  OP("sendfile") { off_t from = 0; sendfile(reg(w[2]), reg(w[1]), &from, 4); }
  OP("splice") { if (!pipe(pair)) { if (write(pair[1], BYTES)) {} splice(pair[0], NULL, reg(w[1]), NULL, 4, 0); close(pair[0]); close(pair[1]); } }
  OP("clone") ioctl(reg(w[2]), FICLONE, reg(w[1]));
  OP("chattr") { int attributes = 0; if (!ioctl(reg(w[1]), FS_IOC_GETFLAGS, &attributes)) { attributes ^= FS_NODUMP_FL; ioctl(reg(w[1]), FS_IOC_SETFLAGS, &attributes); } }
  OP("mkdir") mkdir(w[1], 0777);
  OP("mkdirat") mkdirat(reg(w[1]), w[2], 0777);
  OP("mkdirfd") { snprintf(buffer, sizeof buffer, "/proc/self/fd/%d/%s", reg(w[1]), w[2]); mkdir(buffer, 0777); }
  OP("mkdirpid") { snprintf(buffer, sizeof buffer, "/proc/%d/fd/%d/%s", getpid(), reg(w[1]), w[2]); mkdir(buffer, 0777); }
  OP("mkdirdev") { snprintf(buffer, sizeof buffer, "/dev/fd/%d/%s", reg(w[1]), w[2]); mkdir(buffer, 0777); }
  OP("mkdir32") mkdir32(w[1]);
  OP("ring") ring(w[1]);
  OP("rename") rename(w[1], w[2]);
  OP("renameat") renameat(reg(w[1]), w[2], reg(w[3]), w[4]);
  OP("exchange") syscall(SYS_renameat2, AT_FDCWD, w[1], AT_FDCWD, w[2], RENAME_EXCHANGE);
  OP("whiteout") syscall(SYS_renameat2, AT_FDCWD, w[1], AT_FDCWD, w[2], RENAME_WHITEOUT);
  OP("unlink") unlink(w[1]);
  OP("unlinkat") unlinkat(reg(w[1]), w[2], 0);
  OP("rmdir") rmdir(w[1]);
  OP("symlink") { if (symlink(w[1], w[2])) {} }
  OP("symlinkat") { if (symlinkat(w[1], reg(w[2]), w[3])) {} }
  OP("link") { if (link(w[1], w[2])) {} }
  OP("linkfollow") linkat(AT_FDCWD, w[1], AT_FDCWD, w[2], AT_SYMLINK_FOLLOW);
  OP("linkfd") linkat(AT_FDCWD, fdpath(reg(w[1])), AT_FDCWD, w[2], AT_SYMLINK_FOLLOW);
  OP("linkempty") linkat(reg(w[1]), "", AT_FDCWD, w[2], AT_EMPTY_PATH);
  OP("mknod") mknod(w[1], S_IFIFO | 0600, 0);
  OP("chmod") chmod(w[1], 0600);
  OP("chmodexe") chmod("/proc/self/exe", 0755);
  OP("fchmod") fchmod(reg(w[1]), 0604);
  OP("fchmodat") fchmodat(reg(w[1]), w[2], 0606, 0);
  OP("fchmodat2") syscall(452, reg(w[1]), w[2], 0602, 0);
  OP("lchown") { if (lchown(w[1], getuid(), getgid())) {} }
  OP("chown") { if (chown(w[1], getuid(), getgid())) {} }
  OP("utimens") utimensat(AT_FDCWD, w[1], NULL, AT_SYMLINK_NOFOLLOW);
  OP("futimens") futimens(reg(w[1]), NULL);
  OP("setxattr") setxattr(w[1], "user.odd", "1", 1, 0);
  OP("fsetxattr") fsetxattr(reg(w[1]), "user.odd", "2", 1, 0);
  OP("setxattrat") { struct { uint64_t value; uint32_t size, flags; } how = {(uintptr_t) "3", 1, 0}; syscall(463, AT_FDCWD, w[1], 0, "user.odd", &how, sizeof how); }
  OP("removexattr") removexattr(w[1], "user.odd");
  OP("truncate") { if (truncate(w[1], 2)) {} }
  OP("chdir") { if (chdir(w[1])) {} }
  OP("fchdir") { if (fchdir(reg(w[1]))) {} }
  OP("chroot") { if (chroot(w[1])) {} }
  OP("bindmount") { if (!unshare(CLONE_NEWNS) && !mount(0, "/", 0, MS_REC | MS_PRIVATE, 0)) mount(w[1], w[2], 0, MS_BIND, 0); }
  OP("mq") { mqd_t queue = mq_open(w[1], O_RDWR | O_CREAT, 0600, 0); if (queue >= 0) mq_close(queue); }
  OP("unshare") unshare(CLONE_FILES | CLONE_FS);
  OP("core") { if (!fork()) { struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY}; setrlimit(RLIMIT_CORE, &most); if (chdir(w[1])) {} abort(); } wait(NULL); }
  OP("race") { pthread_t thread; swapping = 1; if (!pthread_create(&thread, 0, swapper, w + 1)) { for (int i = 0; i < 40; i++) { snprintf(buffer, sizeof buffer, "%s/%d", w[1], i); mkdir(buffer, 0777); } swapping = 0; pthread_join(thread, 0); } }
  OP("fork") { if (!fork()) { one(count - 1, w + 1); _exit(0); } wait(NULL); }
  OP("vfork") { pid_t child = vfork(); if (!child) { one(count - 1, w + 1); _exit(0); } wait(NULL); }
  OP("thread") { pthread_t thread; struct job job = {count - 1, w + 1}; if (!pthread_create(&thread, 0, threaded, &job)) pthread_join(thread, 0); }
  /* The network. */
  OP("tcp") { fd = sock(w[1], SOCK_STREAM, 0); if (!(inet(w[1], w[2]), dial(fd)) && write(fd, BYTES)) {} close(fd); }
  OP("tcpnow") { fd = sock(w[1], SOCK_STREAM | SOCK_NONBLOCK, 0); (inet(w[1], w[2]), dial(fd)); usleep(2000); close(fd); }
  OP("fastopen") { fd = sock(w[1], SOCK_STREAM, 0); inet(w[1], w[2]); to(fd, BYTES, MSG_FASTOPEN | MSG_NOSIGNAL); close(fd); }
  OP("udp") { fd = sock(w[1], SOCK_DGRAM, 0); inet(w[1], w[2]); to(fd, BYTES, 0); close(fd); }
  OP("udpmsg") { fd = sock(w[1], SOCK_DGRAM, 0); struct iovec part = {"odd\n", 4}; inet(w[1], w[2]); struct mmsghdr message = {{&address, length, &part, 1}}; sendmmsg(fd, &message, 1, 0); close(fd); }
  OP("udpconnected") { fd = sock(w[1], SOCK_DGRAM, 0); if (!(inet(w[1], w[2]), dial(fd)) && write(fd, BYTES)) {} close(fd); }
  OP("udpunspecified") { fd = socket(AF_INET, SOCK_DGRAM, 0); inet(w[1], w[2]); address.ss_family = AF_UNSPEC; to(fd, BYTES, 0); close(fd); }
  OP("udppassed") { fd = passed(sock(w[1], SOCK_DGRAM, 0)); inet(w[1], w[2]); to(fd, BYTES, 0); }
  OP("udplite") { fd = sock(w[1], SOCK_DGRAM, 136); inet(w[1], w[2]); to(fd, BYTES, 0); close(fd); }
  OP("join") { struct ip_mreqn group = {.imr_ifindex = if_nametoindex("lo")}; inet_pton(AF_INET, "239.1.2.3", &group.imr_multiaddr); fd = socket(AF_INET, SOCK_DGRAM, 0); setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group); }
  OP("icmp") icmp(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), w[1]);
  OP("icmpconnected") { fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); if (!(inet(w[1], "0"), dial(fd))) icmp(fd, NULL); }
  OP("ping") { fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); if (!(inet(w[1], "0"), dial(fd))) icmp(fd, NULL); }
  OP("packet") packet(0);
  OP("packetbound") packet(1);
  OP("unix") { fd = socket(AF_UNIX, SOCK_STREAM, 0); if (!(local(w[1]), dial(fd)) && write(fd, BYTES)) {} close(fd); }
  OP("serve") { fd = sock(w[2], SOCK_STREAM, 0); if (!(inet(w[2], w[3]), named(fd)) && !listen(fd, 5)) put(w[1], fd); }
  OP("serveapart") { unshare(CLONE_NEWNET); fd = sock(w[2], SOCK_STREAM, 0); if (!(inet(w[2], w[3]), named(fd)) && !listen(fd, 5)) put(w[1], fd); }
  OP("serveudp") { fd = sock(w[2], SOCK_DGRAM, 0); if (!(inet(w[2], w[3]), named(fd))) put(w[1], fd); }
  OP("serveunix") { fd = socket(AF_UNIX, SOCK_STREAM, 0); if (!(local(w[2]), named(fd)) && !listen(fd, 5)) put(w[1], fd); }
}

static void run(char *text) {
  char *w[8] = {"", "", "", "", "", "", "", ""}; int count = 0;
  for (char *word = strtok(text, ","); word && count < 8; word = strtok(NULL, ",")) w[count++] = word;
  if (count > 0) one(count, w);
}

/* Does the rest as a new program, started from its file or from memory. */
static void again(int is_memory, char **argv, char *name) {
  char text[200] = "";
  for (int r = 0; r < 10; r++) sprintf(text + strlen(text), "%d ", fds[r]);
  setenv("ODD_FDS", text, 1);
  argv[0] = name;
  int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC); struct stat size;
  if (is_memory && !fstat(self, &size)) {
    int memory = memfd_create("exec", MFD_CLOEXEC);
    sendfile(memory, self, NULL, size.st_size);
    fexecve(memory, argv, environ);
  }
  execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); alarm(20);
  char *saved = getenv("ODD_FDS");
  for (int i = 0; i < 10; i++) fds[i] = saved ? strtol(saved, &saved, 10) : -1;
  for (int i = 1; i < argc; i++) {
    if (!strncmp(argv[i], "exec", 4)) again(!strcmp(argv[i], "execmem"), argv + i, argv[0]);
    else run(argv[i]);
  }
  return 0;
}
