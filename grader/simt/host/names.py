"""Names of `numba.cuda` that mean something in a kernel alone: what the emulator knows, no more."""

from __future__ import annotations

from typing import Any, NoReturn

from grader.facts import fact
from grader.simt.intrinsics import INTRINSICS, SPECIAL


def _prefixes(path: str) -> list[str]:
    parts = path.split(".")
    return [".".join(parts[:end]) for end in range(2, len(parts) + 1)]


PATHS = frozenset(
    part for path in (*INTRINSICS, *SPECIAL) if path.startswith("cuda.") for part in _prefixes(path)
)
"""`cuda.shared` and `cuda.shared.array`: all of them with what they are part of."""


class DeviceName:
    """A name for kernels. The emulator knows it by its path; the host cannot use it."""

    def __init__(self, path: str) -> None:
        self.__simt_path__ = path

    def __getattr__(self, name: str) -> DeviceName:
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self.__simt_path__}.{name}"
        if path not in PATHS:
            raise AttributeError(fact("python.not-emulated", name=f"numba.{path}"))
        return DeviceName(path)

    def __call__(self, *_args: Any, **_options: Any) -> NoReturn:
        """Refuse: the host is not a thread."""
        raise TypeError(fact("script.kernel-only", name=self.__simt_path__))

    def __repr__(self) -> str:
        return f"<{self.__simt_path__}, for kernels>"


def on_device(name: str) -> DeviceName | None:
    """Return a name of `numba.cuda`, if kernels use it."""
    path = f"cuda.{name}"
    return DeviceName(path) if path in PATHS else None
