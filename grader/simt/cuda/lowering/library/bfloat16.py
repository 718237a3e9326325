"""Functions of `__nv_bfloat16`, by the names that CUDA C++ has for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.simt.cuda.lowering.library.entries import as_overload, type_of
from grader.simt.cuda.lowering.library.overloads import LibraryOverload
from grader.simt.intrinsics.functions.bfloat16 import ENTRIES, PLAIN_NAMES

_OF_NUMBA = re.compile("_to_|int16_as_|_as_u?int16")
"""In the names of conversions that Numba has for itself."""


def _overloads() -> Iterator[tuple[str, LibraryOverload]]:
    for name, entry in ENTRIES.items():
        if _OF_NUMBA.search(name):
            continue
        parameters = [type_of(dtype) for dtype in entry.operands]
        made = as_overload(name, entry, parameters, type_of(entry.results[0]))
        yield name if name in PLAIN_NAMES else f"__{name}", made


OVERLOADS: dict[str, LibraryOverload] = dict(_overloads())
