"""The filter, run by an interpreter of classic BPF; its numbers against the headers."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from grader.confine import seccomp
from grader.confine.seccomp import ALLOWED, AUDIT_ARCH, CONDITIONAL, MACHINES, number

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, EACCES, ENOSYS = 0x50001, 0x5000D, 0x50026
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
OURS = 4711


def verdict(machine: str, call: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says of a call, by the rules of linux/filter.h."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    arch = AUDIT_ARCH[machine] if arch is None else arch
    data = struct.pack("<IIQ6Q", call, arch, 0, *padded)
    code = seccomp.program(machine, OURS)
    accumulator = at = 0
    while True:
        operation, true, false, constant = code[at]
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, constant)
            case 0x15:
                at += true if accumulator == constant else false
            case 0x45:
                at += true if accumulator & constant else false
            case 0x06:
                return constant
            case _:
                raise AssertionError(hex(operation))


@pytest.fixture(params=list(MACHINES))
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def called(machine: str, name: str, *arguments: int) -> int:
    code = number(name, machine)
    assert code is not None
    return verdict(machine, code, *arguments)


def test_another_machine_or_32_bits_is_killed(machine: str) -> None:
    for arch in (0x40000003, 0x40000028, 0):  # i386, 32-bit ARM
        assert verdict(machine, number("read", machine) or 0, arch=arch) == KILL


def test_only_listed_calls_pass(machine: str) -> None:
    listed = {number(name, machine) for name in ALLOWED} - {None}
    conditional = {number(name, machine) for name in CONDITIONAL} - {None}
    assert {call for call in range(1024) if verdict(machine, call) == ALLOW} - conditional == listed
    assert verdict(machine, 0x40000000 | 41) == EPERM  # x32's numbers


def test_files_are_opened_for_reading_only(machine: str) -> None:
    assert called(machine, "openat", 0, 0, 0o2000000) == ALLOW  # O_CLOEXEC
    for flags in (0o1, 0o2, 0o100, 0o1000, 0o2001, 0o2102):
        assert called(machine, "openat", 0, 0, flags) == EACCES
    if machine == "x86_64":
        assert called(machine, "open", 0, 0o2) == EACCES


def test_threads_start_and_processes_do_not(machine: str) -> None:
    thread = 0x3D0F00  # what glibc's pthread_create passes
    assert called(machine, "clone", thread) == ALLOW
    assert called(machine, "clone", 0x11) == EPERM  # fork: SIGCHLD
    assert called(machine, "clone", 0x4111) == EPERM  # vfork
    for namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x40000000):
        assert called(machine, "clone", thread | namespace) == EPERM
    assert called(machine, "clone3", 0, 88) == ENOSYS


def test_arguments_decide(machine: str) -> None:
    for name in ("kill", "tgkill"):
        assert called(machine, name, OURS) == ALLOW
        assert called(machine, name, 1) == called(machine, name, (1 << 64) - OURS) == EPERM
    assert called(machine, "prctl", 15) == ALLOW  # PR_SET_NAME
    assert called(machine, "prctl", 1, 0) == EPERM  # PR_SET_PDEATHSIG
    assert called(machine, "prlimit64", 0, 7, 0, 4096) == ALLOW
    for changed in ((1, 7, 0), (0, 7, 4096), (0, 7, 1 << 32)):
        assert called(machine, "prlimit64", *changed) == EPERM
    assert called(machine, "ioctl", 0, 0x5401) == ALLOW
    assert called(machine, "ioctl", 0, 0x5412) == EPERM  # TIOCSTI types into a terminal
    assert called(machine, "fcntl", 0, 1030) == ALLOW
    assert called(machine, "fcntl", 0, 8) == EPERM  # F_SETOWN


@pytest.mark.parametrize("machine", [m for m, header in HEADERS.items() if header.exists()])
def test_numbers_are_those_of_the_headers(machine: str) -> None:
    text = HEADERS[machine].read_text()
    pairs = re.findall(r"#define __NR(?:3264)?_(\w+) (?:__NR3264_\w+|(\d+))$", text, re.MULTILINE)
    found = {name: int(code) for name, code in pairs if code}
    # On 64 bits the generic header calls some by another name.
    renamed = {"newfstatat": "fstatat"}
    for name in {**ALLOWED, **CONDITIONAL}:
        known = found.get(name, found.get(renamed.get(name, "")))
        assert number(name, machine) == known, name
