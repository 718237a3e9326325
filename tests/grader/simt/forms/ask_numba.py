"""Asks numba-cuda whether it compiles kernels, and which types it gives their variables.

Run by the interpreter that has numba-cuda, which need not have this project: JSON on standard input
and output. Needs no GPU. Knows nothing of the emulator.

Input: a list of [name, text, [a parameter's type, …]]. Output: by name, [types of the variables,
""] or [{}, why it does not compile]. Variables that are assigned more than once are left out: they
have several types, and Numba drops the versions that are not used.
"""

from __future__ import annotations

import dis
import json
import linecache
import math
import re
import sys
import warnings
from collections import Counter
from types import SimpleNamespace

import numba
import numpy as np
from numba import cuda
from numba.cuda import bf16, compiler, dispatcher, libdevice, random, types, void

UNLINKED = re.compile(r"\.extern \.func[^;]*?\b(\w+)\s*\(", re.DOTALL)
"""What a kernel calls that is defined elsewhere."""
LINKED = {
    *("vprintf", "cudaCGGetIntrinsicHandle", "cudaCGSynchronize"),
    *("nocopy_empty_reshape", "numba_attempt_nocopy_reshape"),
}
"""What the driver and its device runtime provide, and what Numba links itself."""
MODULES = (bf16, libdevice, random)
"""Attributes of `cuda` once they are imported."""
BFLOAT16 = re.compile(r"nv_bfloat16|_nbst$")
"""What Numba links for it."""
ADDRESS = re.compile(r" at 0x[0-9a-f]+|<asked \d+>")


def main() -> None:
    """Answer every question."""
    warnings.simplefilter("ignore")
    name_a_device()
    answers = {}
    for number, (name, text, given) in enumerate(json.load(sys.stdin)):
        answers[name] = ask(f"<asked {number}>", text, given)
    json.dump(answers, sys.stdout)


def name_a_device() -> None:
    """Say which device functions are compiled for: without a GPU there is none to ask."""
    device = SimpleNamespace(compute_capability=(9, 0))
    dispatcher.get_current_device = compiler.get_current_device = lambda: device


def ask(file: str, text: str, given: list[str]) -> list:
    """Compile the last function of a text to PTX."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space = {"math": math, "np": np, "numba": numba, "cuda": cuda}
    try:
        exec(compile(text, file, "exec"), space)
        function = next(value for value in reversed(space.values()) if callable(value))
        function = getattr(function, "py_func", function)
        signature = tuple(numba_type(kind) for kind in given)
        typed = variables(function, signature)
        ptx, _ = cuda.compile(function, signature, device=False, abi="numba", cc=(9, 0))
    except Exception as error:  # whatever it is: it does not compile
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return [{}, f"{type(error).__name__}: {ADDRESS.sub('…', ' '.join(lines))[:100]}"]
    called = {name for name in UNLINKED.findall(ptx) if not BFLOAT16.search(name)}
    missing = sorted(called - LINKED)
    return [{}, f"not linked: {', '.join(missing)}"] if missing else [typed, ""]


def variables(function, signature) -> dict[str, str]:
    """Return the types of the variables that are assigned once, by name."""
    done = compiler.compile_cuda(function, void, signature, cc=(9, 0))
    stores = Counter(
        step.argval for step in dis.get_instructions(function) if step.opname == "STORE_FAST"
    )
    return {
        name: ADDRESS.sub("…", str(kind))
        for name, kind in done.type_annotation.typemap.items()
        if stores[name] == 1
    }


def numba_type(text: str):
    """Return a type by its name: `int32`, `float32[:,:]`, `(int64, float32)`, `none`."""
    if text == "none":
        return types.none
    if text.startswith("("):
        return types.Tuple([numba_type(part.strip()) for part in text[1:-1].split(";")])
    scalar, _, axes = text.partition("[")
    kind = types.boolean if scalar == "bool" else getattr(types, scalar)
    return types.Array(kind, axes.count(":"), "C") if axes else kind


if __name__ == "__main__":
    main()
