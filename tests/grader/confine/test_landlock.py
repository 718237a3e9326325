"""Rulesets for each ABI, against the documented numbers, with recorded system calls."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

import pytest

from grader.confine import landlock

# docs.kernel.org/userspace-api/landlock.html, "Compatibility": what a best-effort ruleset handles.
FILES = {0: 0, 1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF, 6: 0xFFFF, 7: 0xFFFF}


class Kernel:
    """Records system calls; refuses what a kernel of that ABI refuses."""

    def __init__(self, abi: int) -> None:
        self.abi = abi
        self.attributes: tuple[int, ...] = ()
        self.rules: dict[str, int] = {}
        self.restricted = False

    def __call__(self, number: int, *arguments: object) -> int:
        if not self.abi:
            raise OSError(38, "Function not implemented")
        match number, arguments:
            case 444, (None, 0, 1):
                return self.abi
            case 444, (ctypes.Array() as given, int(size), 0):
                known = 8 * (1 + (self.abi >= 4) + (self.abi >= 6))
                assert size == len(bytes(given)) <= known
                self.attributes = struct.unpack(f"={size // 8}Q", bytes(given))
                assert self.attributes[0] & ~FILES[self.abi] == 0, "EINVAL: unknown rights"
                return os.open("/", os.O_PATH)
            case 445, (int(), 1, ctypes.Array() as given, 0):
                rights, descriptor = struct.unpack("=Qi", bytes(given))
                assert rights & ~self.attributes[0] == 0, "EINVAL: not handled"
                path = str(Path(f"/proc/self/fd/{descriptor}").readlink())
                assert Path(path).is_dir() or rights == landlock.READ_FILE
                self.rules[path] = rights
                return 0
            case 446, (int(), 0):
                self.restricted = True
                return 0
        raise AssertionError((number, arguments))


@pytest.mark.parametrize("version", range(1, 8))
def test_each_abi_handles_all_it_knows(version: int, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    kernel = Kernel(version)
    assert landlock.abi(kernel) == version
    landlock.restrict([tmp_path, file, tmp_path / "gone"], version, kernel)
    wanted = [FILES[version]]
    wanted += [0b11] if version >= 4 else []
    wanted += [0b11] if version >= 6 else []
    assert list(kernel.attributes) == wanted
    reading = landlock.READ_FILE | landlock.READ_DIR
    assert kernel.rules == {str(tmp_path): reading, str(file): landlock.READ_FILE}
    assert kernel.restricted


def test_no_right_but_reading_is_ever_given() -> None:
    assert landlock.READ_FILE | landlock.READ_DIR == 0b1100  # linux/landlock.h


def test_a_kernel_without_landlock_has_abi_0() -> None:
    assert landlock.abi(Kernel(0)) == 0
    with pytest.raises(OSError, match="not implemented"):
        landlock.restrict([], 1, Kernel(0))


def test_a_newer_kernel_is_used_as_the_newest_that_is_known() -> None:
    kernel = Kernel(7)
    landlock.restrict([], 99, kernel)
    assert kernel.attributes == (0xFFFF, 0b11, 0b11)
