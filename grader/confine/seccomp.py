"""A seccomp filter: this process may compute, read and answer; it starts and reaches nothing.

No sockets of any family, no other process, no program, no signal to others, no file opened for
writing. Owns the filter (a classic BPF program) and how it is installed.
Allowed are the calls that computing with NumPy takes, with their numbers on x86-64 and on aarch64,
None where that machine does not have it (linux/arch/x86/entry/syscalls/syscall_64.tbl,
include/uapi/asm-generic/unistd.h).
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from errno import EACCES, ENOSYS, EPERM
from typing import Final

from grader.confine.kernel_calls import syscall

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


ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
ERRNO: Final = 0x00050000
"""Verdicts of a filter, from linux/seccomp.h; the last one carries an error number."""

_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_CALL_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _ALL_THREADS = 1, 1

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CLONE_THREAD = 0x00010000
_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_PRCTL_NAMES = (15, 16, 0x53564D41)  # of a thread, read and written, and of memory
_IOCTL_QUESTIONS = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)  # is it a terminal, how wide; CLOEXEC
_FCNTL_QUESTIONS = (0, 1, 2, 3, 1030)  # duplicate, get and set descriptor flags, get status flags

BpfInstruction = tuple[int, int, int, int]
"""Code, jumps if true and if false, constant: `struct sock_filter`."""


def program(machine: str, process: int) -> list[BpfInstruction]:
    """Build the filter for a machine of `MACHINES`; the process of that id may signal itself."""
    made = [
        _load(_MACHINE),
        (_JUMP_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _return(KILL),
        _load(_CALL_NUMBER),
    ]
    for name in ALLOWED:
        if (code := number(name, machine)) is not None:
            made += [(_JUMP_EQUAL, 0, 1, code), _return(ALLOW)]
    for name, body in _conditions(process):
        if (code := number(name, machine)) is not None:
            made += [(_JUMP_EQUAL, 0, len(body), code), *body]
    return [*made, _return(ERRNO | EPERM)]


def install(machine: str, process: int) -> None:
    """Install the filter in all threads of this process, for good. Needs "no new privileges".

    Raises:
        OSError: the kernel refused it, or the machine is not in `MACHINES`.
    """
    if machine not in MACHINES:
        raise OSError(ENOSYS, f"no filter for {machine or 'this system'}")
    instructions = program(machine, process)
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    kept = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(instructions), ctypes.addressof(kept))
    syscall(_SECCOMP[machine], _SET_FILTER, _ALL_THREADS, ctypes.create_string_buffer(header))


def _conditions(process: int) -> Iterator[tuple[str, list[BpfInstruction]]]:
    """Yield the checks of calls that depend on arguments; each check ends in a verdict."""
    yield "open", _unless_set(1, _WRITING, EACCES)
    yield "openat", _unless_set(2, _WRITING, EACCES)
    yield "clone", [
        _argument(0), (_JUMP_SET, 2, 0, _NAMESPACES), (_JUMP_SET, 0, 1, _CLONE_THREAD),
        _return(ALLOW), _refuse(EPERM),
    ]  # fmt: skip
    # Its flags are behind a pointer. glibc then uses `clone`.
    yield "clone3", [_refuse(ENOSYS)]
    yield "kill", _if_one_of(0, (process,))
    yield "tgkill", _if_one_of(0, (process,))
    yield "prctl", _if_one_of(0, _PRCTL_NAMES)
    # Its own limits may be read, not set.
    yield "prlimit64", [
        *_goes_on_if_zero(0), *_goes_on_if_zero(2), *_goes_on_if_zero(2, high=True), _return(ALLOW)
    ]  # fmt: skip
    yield "ioctl", _if_one_of(1, _IOCTL_QUESTIONS)
    yield "fcntl", _if_one_of(1, _FCNTL_QUESTIONS)


def _unless_set(argument: int, bits: int, error: int) -> list[BpfInstruction]:
    return [_argument(argument), (_JUMP_SET, 0, 1, bits), _refuse(error), _return(ALLOW)]


def _if_one_of(argument: int, values: tuple[int, ...]) -> list[BpfInstruction]:
    tests = [
        instruction
        for value in values
        for instruction in ((_JUMP_EQUAL, 0, 1, value), _return(ALLOW))
    ]
    return [_argument(argument), *tests, _refuse(EPERM)]


def _goes_on_if_zero(argument: int, *, high: bool = False) -> list[BpfInstruction]:
    return [_argument(argument, high=high), (_JUMP_EQUAL, 1, 0, 0), _refuse(EPERM)]


def _argument(position: int, *, high: bool = False) -> BpfInstruction:
    """Load half of an argument; both machines are little-endian."""
    return _load(_ARGUMENTS + 8 * position + 4 * high)


def _load(offset: int) -> BpfInstruction:
    return (_LOAD, 0, 0, offset)


def _refuse(error: int) -> BpfInstruction:
    return _return(ERRNO | error)


def _return(verdict: int) -> BpfInstruction:
    return (_RETURN, 0, 0, verdict)
