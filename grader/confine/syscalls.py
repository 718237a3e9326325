"""The system calls that computing with NumPy takes, by machine; every other is refused.

A name has its number on x86-64 and on aarch64, None where that machine does not have it. Numbers
are those of linux/arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

from typing import Final

MACHINES: Final = {"x86_64": 0, "aarch64": 1}
"""The column of a machine in the tables."""
AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""How a filter recognizes the machine, from linux/audit.h."""

Numbers = dict[str, tuple[int | None, int | None]]

ALLOWED: Final[Numbers] = {
    # Reading what Landlock lets it read, and pipes
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "write": (1, 64), "writev": (20, 66),
    "close": (3, 57), "lseek": (8, 62), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, None),
    "readlinkat": (267, 78), "getdents64": (217, 61), "getcwd": (79, 17), "fadvise64": (221, 223),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    # Memory
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226),
    "mremap": (25, 216), "madvise": (28, 233), "mincore": (27, 232), "membarrier": (324, 283),
    # Threads, and signals of its own
    "futex": (202, 98), "set_robust_list": (273, 99), "rseq": (334, 293),
    "set_tid_address": (218, 96), "arch_prctl": (158, None), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "getcpu": (309, 168), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "exit": (60, 93), "exit_group": (231, 94),
    # Time
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101), "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getitimer": (36, 102), "setitimer": (38, 103), "alarm": (37, None),
    # What it is
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getgroups": (115, 158),
    "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156), "getrlimit": (97, 163),
    "getrusage": (98, 165), "uname": (63, 160), "sysinfo": (99, 179), "getrandom": (318, 278),
}  # fmt: skip
"""Whatever the arguments are."""

CONDITIONAL: Final[Numbers] = {
    "open": (2, None), "openat": (257, 56), "clone": (56, 220), "clone3": (435, 435),
    "kill": (62, 129), "tgkill": (234, 131), "prctl": (157, 167), "prlimit64": (302, 261),
    "ioctl": (16, 29), "fcntl": (72, 25),
}  # fmt: skip
"""With some arguments only: see `seccomp`."""


def number(name: str, machine: str) -> int | None:
    """Return the number of a call in the tables; None if the machine does not have it."""
    return (ALLOWED | CONDITIONAL)[name][MACHINES[machine]]
