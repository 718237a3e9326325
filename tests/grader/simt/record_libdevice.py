"""Asks numba-cuda for the signatures of libdevice and of bfloat16, and writes them to tests/data.

    python -m tests.grader.simt.record_libdevice

It needs `numba-cuda`, neither a GPU nor CUDA's libraries; see `record_typing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parents[2] / "data" / "libdevice.json"


def main() -> None:
    """Write the record anew."""
    module = import_module("numba.cuda.libdevicefuncs")
    signatures = {
        name.removeprefix("__nv_"): _names(module.create_signature(*kinds))
        for name, kinds in sorted(module.functions.items())
    }
    record = {
        "versions": {"numba-cuda": version("numba-cuda")},
        "signatures": signatures,
        "bfloat16": dict(_of_bfloat16()),
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _of_bfloat16() -> Iterator[tuple[str, str]]:
    """Yield the functions of `numba.cuda.bf16` that are intrinsics, with their signatures."""
    module = import_module("numba.cuda.bf16")
    context = import_module("numba.cuda.descriptor").cuda_target.typing_context
    context.refresh()
    for name in sorted(dir(module)):
        if not re.match(r"h[a-z]|\w+bfloat16|bfloat16\w", name):
            continue
        (template,) = context.resolve_value_type(getattr(module, name)).templates
        (signature,) = template.cases
        yield name, _names(signature).replace("__nv_bfloat16", "bfloat16")


def _names(signature: Any) -> str:
    """Operands and results of a signature: `int32, int32 -> int32`."""
    result = signature.return_type
    results = list(result) if hasattr(result, "__iter__") else [result]
    return " -> ".join(", ".join(map(str, kinds)) for kinds in (signature.args, results))


if __name__ == "__main__":
    main()
