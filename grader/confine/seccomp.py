"""A seccomp filter: this process may compute, read and answer; it starts and reaches nothing.

No sockets of any family, no other process, no program, no signal to others, no file opened for
writing. Owns the filter (a classic BPF program) and how it is installed.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from errno import EACCES, ENOSYS, EPERM
from typing import Final

from grader.confine.kernel_calls import syscall
from grader.confine.syscalls import ALLOWED, AUDIT_ARCH, MACHINES, number

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
