"""Notices that a script imports Triton, and has our driver put into it."""

from __future__ import annotations

import os
import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.simt.host.session import ScriptSession

_CACHE = "TRITON_CACHE_DIR"


class TritonFinder:
    """Lets Triton be imported as it is, then gives it our driver."""

    def __init__(self, session: ScriptSession) -> None:
        self._session = session

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find Triton by the other finders; None for any other module."""
        if name != "triton":
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _TritonLoader(spec.loader, self._session)
                return spec
        return None


class _TritonLoader(Loader):
    def __init__(self, real: Any, session: ScriptSession) -> None:
        self._real = real
        self._session = session

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """See `Loader`."""
        made: ModuleType | None = self._real.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Import it, then take the place of its driver."""
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        os.environ.setdefault(_CACHE, str(folder / "gpu-quiz" / "triton"))
        self._real.exec_module(module)
        # A script without Triton spares its 60 ms.
        from grader.simt.host.triton_scripts import install  # noqa: PLC0415

        install(module, self._session)
