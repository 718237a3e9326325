"""What peers' tests import of `numba.cuda` beside the stand-in: their tools, and the innards.

The tools are the peers' own files. Of the innards, which no script needs, each name exists. While
tests are collected it stands for itself; a test that uses it ends there, refused by its name.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.host.numba_names.names import DeviceName, NotEmulated, RefusedName

_TOOLS = re.compile(r"\.(testing|tests|libdevicefuncs)(\.|$)")
_FOREIGN = ("cuda", "filecheck")
"""Packages of NVIDIA's and of LLVM's; if they are not installed, they are innards too."""
_STATE = SimpleNamespace(collecting=True)
EXTENDED: set[str] = set()
"""Functions that tests gave to innards: `overload` and its like register them with the compiler."""


def refuse_from_now_on() -> None:
    """The tests are collected, and start now."""
    _STATE.collecting = False


class Innard(RefusedName):
    """A name that is not emulated."""

    def __init__(self, path: str) -> None:
        super().__init__(path, fact("advice.internal-name"))

    def __getattr__(self, name: str) -> Innard:
        if name.startswith("__"):
            raise AttributeError(name)
        return Innard(f"{self.__simt_path__}.{name}")

    def __call__(self, *args: Any, **_options: Any) -> Any:
        """Refuse, or decorate: a class or a test stays what it is."""
        if not _STATE.collecting:
            raise NotEmulated(fact("python.not-emulated", name=self.__simt_path__))
        EXTENDED.update(one.__name__ for one in args if isinstance(one, (FunctionType, type)))
        decorated = args[0] if len(args) == 1 else None
        inner = self.__simt_path__.endswith("()")  # register(…)(cls)
        kept = inner and isinstance(decorated, type)
        kept = kept or getattr(decorated, "__name__", "")[:4].lower() == "test"
        return decorated if kept else Innard(f"{self.__simt_path__}()")

    __getitem__ = __call__

    def __or__(self, _other: Any) -> Innard:
        """Name one of several types, as an annotation does."""
        return self

    __ror__ = __or__

    def __iter__(self) -> Any:
        return iter(()) if _STATE.collecting else self()

    def __mro_entries__(self, _bases: Any) -> tuple[type, ...]:
        path = self.__simt_path__

        class Base:
            def __init__(self, *_args: Any, **_options: Any) -> None:
                Innard(path)()

        return (Base,) if _STATE.collecting else self()

    def __fspath__(self) -> str:
        return "/nowhere" if _STATE.collecting else self()

    def __bool__(self) -> bool:
        return False

    def __lt__(self, _other: object) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__


class _InnerModule(ModuleType):
    __path__: list[str] = []  # noqa: RUF012 - as of a package

    def __getattr__(self, name: str) -> Any:
        return _inner(f"{self.__name__}.{name}")


def _inner(path: str) -> Any:
    """Make a name of the innards; what `except` names has to be a class."""
    last = path.rpartition(".")[2]
    known = ".".join(path.split(".")[-2:])
    if known in _VALUES:
        return _VALUES[known]
    if last.startswith("__"):
        raise AttributeError(last)
    return type(last, (Exception,), {}) if re.search("Error$|Warning$", last) else Innard(path)


class Finder:
    """Finds what the stand-in does not have of the packages that it stands for."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        """The peer's file for its tests and tools, the stand-in's module, or an inner one."""
        root = next((one for one in self._folders if f"{name}.".startswith(f"{one}.")), None)
        if root is None:
            return self._foreign(name)
        if name == root:
            return None
        if _TOOLS.search(name.removeprefix(root)):
            return self._file(name, self._folders[root].joinpath(*name[len(root) :].split(".")))
        found = sys.modules.get(root) or importlib.import_module(root)
        for part in name[len(root) + 1 :].split("."):
            found = getattr(found, part, None)
        if isinstance(found, ModuleType):
            open_up(found)
        if isinstance(found, (ModuleType, DeviceName)):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def _foreign(self, name: str) -> Any:
        if name.partition(".")[0] not in _FOREIGN:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        if any(finder.find_spec(name.partition(".")[0], None) for finder in others):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def _file(self, name: str, at: Path) -> Any:
        if at.is_dir():
            start = at / "__init__.py"
            spec = importlib.util.spec_from_file_location(name, start) if start.exists() else None
            spec = spec or importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(at)]
            return spec
        file = at.with_suffix(".py")
        return importlib.util.spec_from_file_location(name, file) if file.exists() else None

    def create_module(self, spec: Any) -> ModuleType:
        """Make a module of innards."""
        return _InnerModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it as it is."""


_VALUES: dict[str, Any] = {
    "utils.PYVERSION": sys.version_info[:2],
    "numpy_support.numpy_version": tuple(map(int, np.__version__.split(".")[:2])),
    "cffi_utils.SUPPORTED": False,
    "cuda_paths.get_conda_ctk": lambda: None,
    "cuda_paths.get_conda_ctk_libdir": lambda: None,
    "driver.USE_NV_BINDING": False,
    "driver._have_nvjitlink": lambda: False,
    "driver.Linker": SimpleNamespace(new=lambda **_options: SimpleNamespace(lto=False)),
    "libs.get_cudalib": lambda _name, static=False: "",  # noqa: ARG005
    "libs.check_static_lib": lambda _path: None,
    "libs.get_cuda_include_dir": lambda: "/nowhere",
    "nvvm.get_supported_ccs": lambda: ((9, 0),),
}
"""What the tools compute with while tests are collected, by module and name."""


def open_up(module: ModuleType) -> None:
    """Let a module of the stand-in have innards behind what it has or refuses."""
    known = vars(module).get("__getattr__")
    if getattr(known, "opened", False):
        return

    def get(name: str) -> Any:
        try:
            found = known(name) if known else None
        except AttributeError:
            found = None
        if found is not None and type(found) is not RefusedName:
            return found
        return _inner(f"{module.__name__}.{name}")

    get.opened = True  # type: ignore[attr-defined]
    vars(module)["__getattr__"] = get


def provide(folders: Mapping[str, Path]) -> None:
    """Let peers' tests be imported, over a stand-in that is installed.

    Args:
        folders: where the files of a package are: `numba.cuda`, `numba_cuda_mlir`.
    """
    import numba  # noqa: PLC0415 - its `cuda` is the stand-in by now

    own = {"numba.cuda": Path(numba.__file__).parent / "cuda"}
    sys.meta_path.insert(0, Finder({**own, **folders}))
    for name in ("numba.cuda", "numba_cuda_mlir"):
        opened = [importlib.import_module(name)]
        while opened:
            module = opened.pop()
            if not hasattr(vars(module).get("__getattr__"), "opened"):
                open_up(module)
                opened += [one for one in vars(module).values() if isinstance(one, ModuleType)
                           and one.__name__.startswith("numba")]  # fmt: skip
