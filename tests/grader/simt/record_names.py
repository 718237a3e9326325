"""Lists the public names of Numba's two CUDA packages, and writes them to tests/data.

    python -m tests.grader.simt.record_names numba-cuda|numba-cuda-mlir

It imports nothing of this project, so that it runs wherever one of the packages is installed: each
needs an environment of its own, and none needs a GPU.
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

RECORD = Path(__file__).parents[2] / "data" / "cuda_names.json"
MODULES = {
    "numba-cuda": ("numba.cuda", "numba.cuda.types", "numba.cuda.fp16"),
    "numba-cuda-mlir": (
        *("numba_cuda_mlir.cuda", "numba_cuda_mlir.types", "numba_cuda_mlir.cuda.fp16"),
        *("numba_cuda_mlir.cuda.experimental", "numba_cuda_mlir.cuda.tensor_map"),
    ),
}
NUMBERS = ("Boolean", "Complex", "Float", "Integer")
READ_ONLY = {
    "numba-cuda": (),
    "numba-cuda-mlir": ("numba_cuda_mlir.cuda.intrin", "numba_cuda_mlir.cuda.libdevice"),
}
"""Modules that ask for a driver as soon as they are imported, or have no names until then."""


def main(package: str) -> None:
    """Write one package's part of the record anew."""
    warnings.simplefilter("ignore")
    kept = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    found = {name: _names(importlib.import_module(name)) for name in MODULES[package]}
    found |= {name: _stub_names(name) for name in READ_ONLY[package]}
    kept[package] = {"version": version(package), "modules": found}
    RECORD.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _names(module: ModuleType) -> dict[str, str]:
    """The kind of each public name; of the standard library's modules, nothing."""
    values = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return {name: _kind(value) for name, value in values.items() if not _is_foreign(value)}


def _kind(value: Any) -> str:
    """The class of a value; behind a type of numbers, which one it is."""
    kind = "module" if isinstance(value, ModuleType) else type(value).__name__
    return f"{kind} {value}" if kind in NUMBERS else kind


def _is_foreign(value: Any) -> bool:
    """What a module imports from the standard library is not its own."""
    owner = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return str(owner).partition(".")[0] in sys.stdlib_module_names


def _stub_names(name: str) -> dict[str, str]:
    root = importlib.import_module(name.partition(".")[0])
    stub = Path(str(root.__file__)).parent.joinpath(*name.split(".")[1:]).with_suffix(".pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {name: "function" for name in defined if not name.startswith("_")}


if __name__ == "__main__":
    main(*sys.argv[1:])
