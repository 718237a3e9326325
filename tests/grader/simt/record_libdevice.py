"""Asks numba-cuda for the signatures of libdevice's functions, and writes them to tests/data.

    python -m tests.grader.simt.record_libdevice

It needs `numba-cuda`, neither a GPU nor CUDA's libraries; see `record_typing`.
"""

from __future__ import annotations

import json
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
    record = {"versions": {"numba-cuda": version("numba-cuda")}, "signatures": signatures}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _names(signature: Any) -> str:
    """Operands and results of a signature: `int32, int32 -> int32`."""
    result = signature.return_type
    results = list(result) if hasattr(result, "__iter__") else [result]
    return " -> ".join(", ".join(map(str, kinds)) for kinds in (signature.args, results))


if __name__ == "__main__":
    main()
