"""What Numba's tests import of `numba.cuda` beside the stand-in: its test tools, and its innards.

The test tools are Numba's own files. Of the innards, which no script needs, each name exists and
says that it is not emulated as soon as it is used.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

import numpy as np

_INNARDS = (
    *("args", "codegen", "compiler", "cuda_paths", "cudadecl", "cudadrv", "cudadrv.devicearray"),
    *("cudadrv.devices", "cudadrv.driver", "cudadrv.error", "cudadrv.libs", "cudadrv.nvvm"),
    *("cudadrv.runtime", "cudaimpl", "descriptor", "extending", "kernels"),
    *("kernels.transpose", "simulator"),
    *("simulator.vector_types", "stubs", "vector_types"),
)


class Missing:
    """A name that is not emulated."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, *_args: Any, **_options: Any) -> NoReturn:
        raise NotImplementedError(f"{self._path} is not emulated")

    __iter__ = __getitem__ = __call__

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self()


class Registering:
    """What registers a function with the compiler: keeps nothing, so that it is found unknown."""

    def __call__(self, *_args: Any, **_options: Any) -> Any:
        return lambda function: function

    def __getattr__(self, name: str) -> Any:
        return self if name.startswith("register") else super().__getattribute__(name)


class _Innards(ModuleType):
    __path__: list[str] = []  # noqa: RUF012 - as of a package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")


class _Errors(_Innards):
    """`cudadrv.error`, and `CudaAPIError`: what `except` and `assertRaises` ask for is a class."""

    CudaAPIError = type("CudaAPIError", (Exception,), {})
    CudaDriverError = type("CudaDriverError", (Exception,), {})
    LinkerError = type("LinkerError", (Exception,), {})
    NvvmError = type("NvvmError", (Exception,), {})


class _TestFiles:
    """Finds `numba.cuda.testing` and `numba.cuda.tests` among Numba's files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        """A file of Numba's, for its tests and their tools alone."""
        if not name.startswith(("numba.cuda.test", "numba.cuda.libdevicefuncs")):
            return None
        at = self._folder.joinpath(*name.split(".")[2:])
        if at.is_dir():
            where = [str(at)]
            return importlib.util.spec_from_file_location(
                name, at / "__init__.py", submodule_search_locations=where
            )
        return importlib.util.spec_from_file_location(name, at.with_suffix(".py"))


def provide(cuda: ModuleType) -> None:
    """Let Numba's tests be imported, over a stand-in that is installed."""
    import numba  # noqa: PLC0415 - its `cuda` is the stand-in by now

    for name in _INNARDS:
        parent, _, last = f"numba.cuda.{name}".rpartition(".")
        kind = _Errors if last in ("driver", "error") else _Innards
        module = kind(f"numba.cuda.{name}")
        sys.modules[module.__name__] = module
        if parent != "numba.cuda":
            setattr(sys.modules[parent], last, module)
    for name in ("cudaimpl.lower", "cudaimpl.lower_attr", "cudadecl.registry"):
        module, _, last = name.rpartition(".")
        setattr(sys.modules[f"numba.cuda.{module}"], last, Registering())
    args: Any = sys.modules["numba.cuda.args"]
    args.wrap_arg = lambda value, default=cuda.InOut: (
        default(value) if isinstance(value, np.ndarray) else value
    )
    device = cuda.get_current_device()
    devices: Any = sys.modules["numba.cuda.cudadrv.devices"]
    devices.get_context = cuda.current_context
    devices.reset = device.reset
    devices.gpus = cuda.gpus
    driver: Any = sys.modules["numba.cuda.cudadrv.driver"]
    driver.USE_NV_BINDING = False
    driver.Linker = SimpleNamespace(new=lambda **_options: SimpleNamespace(lto=False))
    libs: Any = sys.modules["numba.cuda.cudadrv.libs"]
    libs.get_cudalib = lambda _name, static=False: ""  # noqa: ARG005
    libs.check_static_lib = lambda _path: None
    paths: Any = sys.modules["numba.cuda.cuda_paths"]
    paths.get_conda_ctk = lambda: None
    nvvm: Any = sys.modules["numba.cuda.cudadrv.nvvm"]
    nvvm.get_supported_ccs = lambda: ((9, 0),)
    sys.meta_path.insert(0, _TestFiles(Path(numba.__file__).parent / "cuda"))
