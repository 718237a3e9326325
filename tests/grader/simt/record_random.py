"""Draws random numbers with numba-cuda's own functions, on the CPU, and writes them to tests/data.

    python -m tests.grader.simt.record_random

It needs `numba-cuda` and Numba, neither a GPU nor CUDA's libraries; see `record_typing`.
"""

from __future__ import annotations

import json
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

RECORD = Path(__file__).parents[2] / "data" / "xoroshiro.json"
SEEDS = ((5, 1, 0), (3, 2**63 + 11, 2), (70, -3, 5))
"""Generators, seed, first subsequence."""
DRAWS = (
    *("xoroshiro128p_next", "xoroshiro128p_uniform_float32", "xoroshiro128p_uniform_float64"),
    *("xoroshiro128p_normal_float32", "xoroshiro128p_normal_float64"),
)
_EACH = 40


def main() -> None:
    """Write the record anew."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        RECORD.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")


def record() -> dict[str, Any]:
    """States, and what is drawn with each function, as text that keeps every bit."""
    random = import_module("numba.cuda.random")
    made = []
    for count, seed, start in SEEDS:
        states = np.empty(count, random.xoroshiro128p_dtype)
        random.init_xoroshiro128p_states_cpu(states, np.uint64(seed % 2**64), start)
        made.append([list(map(int, state)) for state in states])
    states = np.zeros(1, random.xoroshiro128p_dtype)
    random.init_xoroshiro128p_state(states, 0, 7)
    drawn = {
        name: [_exact(getattr(random, name)(states, 0)) for _ in range(_EACH)] for name in DRAWS
    }
    random.xoroshiro128p_jump(states, 0)
    return {
        "versions": {name: version(name) for name in ("numba", "numba-cuda")},
        "states": made,
        "drawn": drawn,
        "after": list(map(int, states[0])),
    }


def _exact(value: Any) -> Any:
    return int(value) if isinstance(value, int) else float(value).hex()


if __name__ == "__main__":
    main()
