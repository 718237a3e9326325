"""Puts the stand-in's modules in the way of imports.

Of real Numba, `numba.cuda` alone is replaced, and it is imported only if the script imports it. If
it is not installed, or cannot be imported, the few names that CUDA scripts use beside `cuda` stand
for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from grader.facts import fact
from grader.simt.host.numba_names.names import DeviceName, RefusedName

NumbaMaker = Callable[[str], ModuleType]
"""Makes a `numba`; gets the reason why the real one cannot be imported, "" if there is none."""


class StandInFinder:
    """Finds the modules of the stand-in by the attributes of its packages.

    Attributes:
        packages: by name, those whose modules it has: `numba_cuda_mlir`.
    """

    def __init__(
        self, cuda: ModuleType, packages: dict[str, ModuleType], numba: NumbaMaker
    ) -> None:
        self._cuda = cuda
        self.packages = packages
        self._make_numba = numba

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """Find a module of the stand-in, or `numba` itself; None for any other.

        Raises:
            ModuleNotFoundError: it would be a part of `numba.cuda` that is not emulated.
        """
        root, *parts = name.split(".")
        if name == "numba" and root not in self.packages:
            return self._find_numba()
        if root == "numba" and parts[:1] == ["cuda"]:
            return _spec_of(name, self._cuda, parts[1:])
        return _spec_of(name, self.packages[root], parts) if root in self.packages else None

    def _find_numba(self) -> ModuleSpec:
        others = (finder for finder in sys.meta_path if finder is not self)
        for finder in others:
            spec = finder.find_spec("numba", None)
            if spec is not None and spec.loader is not None:
                spec.loader = _NumbaLoader(spec.loader, self._take_over)
                return spec
        self.packages["numba"] = numba = self._make_numba("")
        return _spec_of("numba", self._connect(numba), [])

    def _take_over(self, numba: ModuleType, error: Exception | None) -> None:
        """Replace the CUDA part of Numba; all of it if importing it failed."""
        if error is not None:
            for name in [name for name in sys.modules if name.startswith("numba.")]:
                del sys.modules[name]
            sys.modules[self._cuda.__name__] = self._cuda
            self.packages["numba"] = own = self._make_numba(str(error))
            vars(numba).update(vars(own), __name__="numba")
        self._connect(numba)

    def _connect(self, numba: ModuleType) -> ModuleType:
        vars(numba)["cuda"] = self._cuda
        return numba


def _spec_of(name: str, package: Any, parts: Sequence[str]) -> ModuleSpec:
    found = package
    for part in parts:
        found = getattr(found, part, None)
    if not isinstance(found, (ModuleType, DeviceName, RefusedName)):
        raise ModuleNotFoundError(fact("python.not-emulated", name=name), name=name)
    return ModuleSpec(name, _StandInLoader(found), is_package=True)


class _StandInLoader(Loader):
    """Gives a module that is there already."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def create_module(self, _spec: ModuleSpec) -> Any:
        return self._module

    def exec_module(self, _module: ModuleType) -> None:
        pass


class _NumbaLoader(Loader):
    """Loads real Numba, and says when it is there or why it is not."""

    def __init__(self, real: Loader, done: Callable[[ModuleType, Exception | None], None]) -> None:
        self._real = real
        self._done = done

    def create_module(self, spec: ModuleSpec) -> Any:
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None  # the import system has just set it
        spec.loader = module.__loader__ = self._real
        try:
            self._real.exec_module(module)
        except Exception as error:
            self._done(module, error)
        else:
            self._done(module, None)
