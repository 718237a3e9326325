"""Loads our own modules at their first use: the one way in which this program defers an import.

`from quizapp.study import overview` at the top of a module costs nothing until `overview.home` is
looked up; `from quizapp.study.overview import home` loads at once. So a module that may not be
needed is imported as a module, at the top, where every reader and every checker sees the arrow.

Several threads may come to the same module first: a lock per module makes the others wait. Locks
cannot wait for each other in a circle, since imports have no circles (.importlinter).
"""

from __future__ import annotations

import sys
from _thread import RLock

TYPE_CHECKING = False
"""Type checkers take this name for true. `typing`, `threading` and `importlib.machinery` together
would take a quarter of the time in which a cached deck is read."""

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any
else:
    ModuleType = type(sys)

OURS = ("quizapp.", "grader.")
_ATTRIBUTES = "spec name loader package path file cached class dict"
_OF_THE_IMPORT_SYSTEM = frozenset(f"__{name}__" for name in _ATTRIBUTES.split())
"""What the import system reads of a module, which must not load it."""


class DeferredModule(ModuleType):
    """A module that has not run yet; it becomes an ordinary one as soon as it has."""

    def __getattribute__(self, name: str) -> Any:
        """Load the module, unless the import system asks; then look the name up."""
        if name not in _OF_THE_IMPORT_SYSTEM:
            ModuleType.__getattribute__(self, "__spec__").loader.load(self)
        # Not `super()`: by now it may be a plain module.
        return ModuleType.__getattribute__(self, name)

    def __dir__(self) -> list[str]:
        """Load the module, then list its names: pytest looks for a plugin's hooks so."""
        ModuleType.__getattribute__(self, "__spec__").loader.load(self)
        return [*ModuleType.__dir__(self)]


class _DeferringLoader:
    """Stands before a module's own loader until the module is used."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._lock = RLock()
        self._runs = False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the original loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Do not run it yet."""
        module.__class__ = DeferredModule

    def load(self, module: ModuleType) -> None:
        """Run the module once, whichever thread is first; its own imports of itself go on."""
        with self._lock:
            if self._runs or type(module) is not DeferredModule:
                return
            self._runs = True
            try:
                self._loader.exec_module(module)
                module.__class__ = ModuleType  # type: ignore[assignment]
            finally:
                self._runs = False

    def __getattr__(self, name: str) -> Any:
        """Answer as the loader behind does: source for tracebacks, files for `runpy`."""
        return getattr(self._loader, name)


class _Finder:
    """Finds our modules as Python would, and defers them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of one of our modules; None for all others."""
        if not fullname.startswith(OURS):
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _DeferringLoader(spec.loader)  # type: ignore[assignment]
                return spec
        return None


def install() -> None:
    """Defer our modules from now on."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
