"""Names of `numba.cuda` that mean something in a kernel alone: what the emulator knows, no more."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from grader.facts import Fact, FactError, fact
from grader.simt.numba.library.arrays import MLIR_CALLS
from grader.simt.numba.library.tables import INTRINSICS, SPECIAL
from grader.simt.numba.reading.paths import MLIR
from grader.simt.numba.refused_names import instead_of


def _prefixes(path: str) -> list[str]:
    parts = path.split(".")
    return [".".join(parts[:end]) for end in range(2, len(parts) + 1)]


PATHS = frozenset(
    part for path in (*INTRINSICS, *SPECIAL) if path.startswith("cuda.") for part in _prefixes(path)
)
"""`cuda.shared` and `cuda.shared.array`: all of them with what they are part of."""


class NotEmulated(FactError, NotImplementedError):
    """The host uses a name that is refused.

    Attributes:
        instead: what to read or to write, where the catalogue does not know it by the fact.
    """

    def __init__(self, what: Fact, instead: Fact | None = None) -> None:
        super().__init__(what)
        self.instead = instead


class DeviceName:
    """A name for kernels. The emulator knows it by its path; the host cannot use it."""

    def __init__(self, path: str) -> None:
        self.__simt_path__ = path

    def __getattr__(self, name: str) -> DeviceName | RefusedName:
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self.__simt_path__}.{name}"
        found = named(path)
        if found is None:
            raise AttributeError(fact("python.no-such-name", name=f"numba.{path}"))
        return found

    def __call__(self, *_args: Any, **_options: Any) -> NoReturn:
        """Refuse: the host is not a thread."""
        raise TypeError(fact("script.kernel-only", name=self.__simt_path__))

    def __repr__(self) -> str:
        return f"<{self.__simt_path__}, for kernels>"


class RefusedName:
    """A name that can be imported, and is refused with advice where host or kernel uses it."""

    def __init__(self, path: str, instead: Fact) -> None:
        self.__simt_path__ = path
        self._instead = instead

    def __getattr__(self, name: str) -> RefusedName:
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self.__simt_path__}.{name}"
        return RefusedName(path, instead_of(path) or self._instead)

    def __call__(self, *_args: Any, **_options: Any) -> NoReturn:
        """Refuse it."""
        raise NotEmulated(fact("python.not-emulated", name=self.__simt_path__), self._instead)

    __getitem__ = __iter__ = __mro_entries__ = __call__

    def __instancecheck__(self, _value: object) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<{self.__simt_path__}, not emulated>"


def named(path: str) -> DeviceName | RefusedName | None:
    """Return a name of `cuda` that kernels use, or one that is refused; None if there is none."""
    if path in PATHS or (path in MLIR_CALLS and MLIR in sys.modules):
        return DeviceName(path)
    instead = instead_of(path)
    return None if instead is None else RefusedName(path, instead)
