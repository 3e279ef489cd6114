/**
 * System calls that change no file, contact no one and give no name or descriptor a new meaning. Every other call is either understood or a
 * gap. Writing through a descriptor is harmless: opening it was seen.
 */
export const HARMLESS: readonly string[] = `
  access alarm arch_prctl brk cachestat capget capset clock_adjtime clock_getres clock_gettime clock_nanosleep copy_file_range epoll_create
  epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2 exit exit_group faccessat
  faccessat2 fadvise64 fallocate fdatasync fgetxattr file_getattr flistxattr flock fstat fstatfs fsync ftruncate futex futex_requeue
  futex_wait futex_waitv futex_wake get_mempolicy get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid geteuid getgid
  getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid
  getsockopt gettid gettimeofday getuid getxattr getxattrat inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel
  io_destroy io_getevents io_pgetevents io_setup io_submit ioprio_get ioprio_set kcmp kill landlock_add_rule landlock_create_ruleset
  landlock_restrict_self lgetxattr listmount listns listxattr listxattrat llistxattr lseek lsm_get_self_attr lsm_list_modules lstat madvise
  map_shadow_stack mbind membarrier memfd_create memfd_secret migrate_pages mincore mlock mlock2 mlockall mmap modify_ldt move_pages
  mprotect mq_getsetattr mq_notify mq_timedreceive mq_timedsend mremap mseal msync munlock munlockall munmap name_to_handle_at nanosleep
  newfstatat pause personality pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv
  preadv2 prlimit64 process_madvise process_mrelease process_vm_readv pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat
  readv recvfrom remap_file_pages restart_syscall riscv_flush_icache rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
  rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity
  sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler
  sched_yield select sendfile set_mempolicy set_mempolicy_home_node set_robust_list set_thread_area set_tid_address setfsgid setfsuid
  setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setuid sigaltstack signalfd
  signalfd4 splice stat statfs statmount statx sync sync_file_range sync_file_range2 syncfs sysfs sysinfo tee tgkill time timer_create
  timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill umask uname ustat
  vmsplice wait4 waitid write writev`
  .trim()
  .split(/\s+/);

/**
 * The most frequent of these are not traced. There are few, with numbers next to each other, because strace's filter for a longer list lets
 * calls pass that are newer than strace itself.
 */
export const UNTRACED: readonly string[] = `
  read write stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask pread64 pwrite64 readv writev access futex
  epoll_wait epoll_pwait epoll_ctl getdents64 newfstatat statx madvise sched_yield readlink wait4 getrandom gettid ppoll
  set_tid_address exit_group`
  .trim()
  .split(/\s+/);

/** Calls that an older strace shows only by number. They have the same number on every machine. */
const BY_NUMBER: Readonly<Record<number, string>> = Object.fromEntries(
  `cachestat fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr
  lsm_list_modules mseal setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr listns`
    .split(/\s+/)
    .map((name, index) => [451 + index, name]),
);

/** The name of a call that strace shows as `syscall_0x1c6`; other names are unchanged. */
export function callName(name: string): string {
  const [, number] = /^syscall_(0x[\da-f]+)$/.exec(name) ?? [];
  return number === undefined ? name : (BY_NUMBER[Number(number)] ?? name);
}

const harmless = new Set(HARMLESS);
export const isHarmless = (name: string) => harmless.has(name);
