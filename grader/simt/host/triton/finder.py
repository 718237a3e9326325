"""Notices that a script imports Triton, or PyTorch beside it, and has something done with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.simt.host.session import ScriptSession

_CACHE = "TRITON_CACHE_DIR"


def watch_for_triton(session: ScriptSession) -> None:
    """Give Triton our driver as soon as it is imported."""
    _watch_for("triton", partial(_take_over, session))


def _watch_for(name: str, then: Callable[[ModuleType], None]) -> None:
    """Do something with a module as soon as it is imported."""
    if name in sys.modules:
        then(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Finder(name, then))


def _take_over(session: ScriptSession, triton: ModuleType) -> None:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    os.environ.setdefault(_CACHE, str(folder / "gpu-quiz" / "triton"))
    # A script without Triton spares its 60 ms.
    from grader.simt.host.triton.scripts import install  # noqa: PLC0415

    _watch_for("torch", install(triton, session))


class _Finder:
    """Lets a module be imported as it is; scripts that only look for it find it, too."""

    def __init__(self, name: str, then: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._then = then

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find the module by the other finders; None for any other one."""
        if name != self._name:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self._then)
                return spec
        return None


class _Loader(Loader):
    def __init__(self, real: Any, then: Callable[[ModuleType], None]) -> None:
        self._real = real
        self._then = then

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """See `Loader`."""
        made: ModuleType | None = self._real.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Import it, then do what was asked for."""
        self._real.exec_module(module)
        self._then(module)
