/* A network of its own, in which every packet is seen. Prints its process id; then, for each line it reads, what was contacted since. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define SERVER_PORT 7001
static int contacts; static char first[200];

static void contact(const char *what, const char *where, int port) {
  if (contacts++ == 0) snprintf(first, sizeof first, "%s %s:%d", what, where, port);
}

static int server(int type) {
  int fd = socket(AF_INET, type | SOCK_NONBLOCK, 0); struct sockaddr_in at = {AF_INET, htons(SERVER_PORT), {htonl(INADDR_LOOPBACK)}};
  if (bind(fd, (void *)&at, sizeof at) || (type == SOCK_STREAM && listen(fd, 100))) { perror("bind"); exit(1); }
  return fd;
}

/* Loopback addresses belong to the run, except those of the server; everything else is another machine. */
static void judge(const unsigned char *frame, int size) {
  char text[64]; int type = frame[12] << 8 | frame[13];
  if (type == ETH_P_IP && size >= 34) {
    const struct iphdr *ip = (void *)(frame + 14); const unsigned char *rest = frame + 14 + ip->ihl * 4;
    int port = (ip->protocol == 6 || ip->protocol == 17 || ip->protocol == 136) ? rest[2] << 8 | rest[3] : 0;
    inet_ntop(AF_INET, &ip->daddr, text, sizeof text);
    if (ip->protocol == 2) return; /* reports about groups come seconds later, when another program runs */
    if (ntohl(ip->daddr) >> 24 != 127) {
      if (ntohl(ip->saddr) >> 24 == 127 || ip->protocol != 1 || rest[0] == 8) contact("packet", text, port);
    } else if (ntohl(ip->daddr) == INADDR_LOOPBACK && port == SERVER_PORT) contact("server", text, port);
  } else if (type == ETH_P_IPV6 && size >= 54) {
    const struct ip6_hdr *ip = (void *)(frame + 14);
    if (IN6_IS_ADDR_LOOPBACK(&ip->ip6_dst) || IN6_IS_ADDR_UNSPECIFIED(&ip->ip6_src)) return;
    inet_ntop(AF_INET6, &ip->ip6_dst, text, sizeof text);
    contact("packet", text, 0);
  } else if (type != ETH_P_ARP) contact("frame", "lo", type);
}

int main(void) {
  if (unshare(CLONE_NEWNET)) { perror("unshare"); return 1; }
  int any = socket(AF_INET, SOCK_DGRAM, 0); struct ifreq lo = {0}; strcpy(lo.ifr_name, "lo"); lo.ifr_flags = IFF_UP;
  struct rtentry route = {0}; struct sockaddr_in *to = (void *)&route.rt_dst, *mask = (void *)&route.rt_genmask;
  to->sin_family = mask->sin_family = AF_INET; inet_pton(AF_INET, "198.51.100.0", &to->sin_addr); inet_pton(AF_INET, "255.255.255.0", &mask->sin_addr);
  route.rt_flags = RTF_UP; route.rt_dev = "lo";
  if (ioctl(any, SIOCSIFFLAGS, &lo) || ioctl(any, SIOCADDRT, &route)) { perror("route"); return 1; }
  int range = open("/proc/sys/net/ipv4/ping_group_range", O_WRONLY);
  if (range >= 0 && write(range, "0 2147483647", 12)) {}
  int capture = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL)), big = 8 << 20;
  setsockopt(capture, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big);
  int tcp = server(SOCK_STREAM), udp = server(SOCK_DGRAM);
  printf("%d\n", getpid()); fflush(stdout);
  for (char line[16]; ;) {
    struct pollfd in[4] = {{0, POLLIN, 0}, {capture, POLLIN, 0}, {tcp, POLLIN, 0}, {udp, POLLIN, 0}};
    poll(in, 4, -1);
    unsigned char frame[65536]; int size, fd; struct sockaddr_ll from; socklen_t length = sizeof from;
    while ((size = recvfrom(capture, frame, sizeof frame, 0, (void *)&from, &length)) > 0) if (from.sll_pkttype == PACKET_OUTGOING) judge(frame, size);
    while ((fd = accept(tcp, 0, 0)) >= 0) close(fd);
    while (recv(udp, frame, sizeof frame, MSG_DONTWAIT) > 0) {}
    if (in[0].revents) {
      if (read(0, line, sizeof line) <= 0) return 0;
      printf("%d %s\n", contacts, first); fflush(stdout); contacts = 0; first[0] = 0;
    }
  }
}
