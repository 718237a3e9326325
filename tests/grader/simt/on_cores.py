"""Runs launches on one core and with helpers, and says as JSON what differs and what helpers did.

A program of its own: helpers come only where no other thread is, and a test's process has some.
`python -m tests.grader.simt.on_cores SEEDS` also draws as many kernels.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from grader.simt.launches import helpers
from grader.simt.launches.api import launch, read
from grader.simt.memory.written import WrittenBytes

BLOCKS, THREADS = 600, 256
"""Three chunks."""
N = BLOCKS * THREADS
_TRIES = 20
"""Until a helper that may help does: on a busy machine the chunks may be gone when it begins."""
Case = tuple[str, dict[str, Any]]

KERNELS: dict[str, Case] = {
    "in place": ("a[i] = a[i] * 2 + b[i]", {}),
    "strided": ("c[i % 600 * 256 + i // 600] = b[i * 7 % 153600]", {}),
    "part of it unwritten": ("if i % 3:\n        c[i] = 1", {}),
    "uneven": ("for k in range(i // 4096):\n        a[i] += k", {}),
    "all read one": ("c[i] = a[0] if i > 0 else 1\n    if i > 0:\n        a[i] = 2", {}),
    "shared memory": (
        """s = cuda.shared.array(256, numba.float64)
    s[255 - t] = b[i]
    cuda.syncthreads()
    c[i] = s[t * 2 % 256]""",
        {},
    ),
    "in float64": ("f[i] = f[i] * 0.5", {}),
    "an atomic": ("cuda.atomic.add(a, i % 5, 1)", {}),
    "the neighbor's": ("a[i] = a[(i + 256) % 153600] + 1", {}),
    "what another block wrote": ("if i < 256:\n        a[i] = 5\n    c[i] = a[t] + 1", {}),
    "all write one": ("a[0] = 3\n    c[i] = i", {}),
    "one prints": ("c[i] = i\n    if i == 150000:\n        print(i)", {}),
    "beyond the end": ("c[i + 1] = i", {}),
    "divided by zero": ("c[i] = 7 // (i - 150000)", {}),
    "waits for the first block": (
        "if i == 0:\n        a[0] = 9\n    while a[0] != 9:\n        pass\n    c[i] = 1",
        {},
    ),
    "out of budget": ("for k in range(40):\n        a[i] += k", {"budget": 5_000_000}),
    "within budget": ("for k in range(40):\n        a[i] += k", {"budget": 900_000_000}),
}
ALONE = {
    "an atomic", "the neighbor's", "what another block wrote", "all write one", "one prints",
    "beyond the end", "divided by zero", "waits for the first block", "out of budget",
}  # fmt: skip
"""Kernels that helpers are of no use for."""


def draw(seed: int) -> Case:
    """Draw a kernel of which blocks may be independent or not."""
    random = Random(seed)

    def place() -> str:
        factor, shift = random.choice((1, 1, 7, 256, 3)), random.choice((0, 0, 0, 1, 256, 70_000))
        return random.choice(("i", "i", f"(i * {factor} + {shift}) % {N}", "t", f"{N - 1} - i"))

    def value() -> str:
        return random.choice((f"{random.choice('ab')}[{place()}]", "i", "1", "t"))

    lines = []
    for _ in range(random.randint(1, 3)):
        stored = f"{random.choice('acc')}[{place()}] = {value()} + {value()}"
        guard = random.choice(("", "", f"if i % {random.randint(2, 5)}:\n        "))
        lines.append(guard + stored)
    return "\n    ".join(lines), {}


def run(case: Case, cores: int) -> dict[str, Any]:
    """Run a kernel on some cores; return all that a launch leaves."""
    body, options = case
    text = f"def kernel(a, b, c, f):\n    i = cuda.grid(1)\n    t = cuda.threadIdx.x\n    {body}\n"
    a, b, c = (np.arange(N, dtype=np.float64) * k for k in (1, 2, 0))
    f = np.ones(N, np.float32)
    known = WrittenBytes(c.__array_interface__["data"][0], c.nbytes)
    printed: list[str] = []
    done = launch(
        read(text), BLOCKS, THREADS, [a, b, c, f], cores=cores, written=[known],
        tell_harmless=True, printed=printed.append, **options,
    )  # fmt: skip
    names = [name for name in "abcf" if f"{name}[" in body.replace("b[", "")]
    places = (0, 1, N // 2, N - 1)
    return {
        "arrays": [array.tobytes() for array in (a, b, c, f)],
        "counts": repr(done.files),
        "findings": [repr(finding) for finding in done.findings],
        "rest": (done.operations, done.finished, dict(done.shares), printed),
        "examples": repr((done.worst, done.scattered)),
        "written": known.bytes.tobytes(),
        "accessed": [
            [(kind, there.tobytes()) for kind, there in done.accessed_elements(name).items()]
            for name in names
        ],
        "origins": [repr(done.origin(name, place)) for name in names for place in places],
    }


def compare(cases: Iterator[tuple[str, Case]], cores: int) -> dict[str, Any]:
    """Run each case on one core and on several; say what differs, and whether helpers helped."""
    taken: list[int] = []
    real = helpers.Helpers._add

    def noted(self: helpers.Helpers, found: Any) -> None:
        taken.extend(first for each in found for first in each.counted)
        real(self, found)

    helpers.Helpers._add = noted  # type: ignore[method-assign]
    found = {}
    for name, case in cases:
        alone = run(case, 1)
        taken.clear()
        for _ in range(1 if name in ALONE or name not in KERNELS else _TRIES):
            several = run(case, cores)
            differ = [key for key in alone if alone[key] != several[key]]
            if taken or differ:
                break
        found[name] = {"differ": differ, "helped": bool(taken)}
    return found


def main() -> None:
    """Print what differs of all."""
    helpers.BEGIN = helpers.WORTH = 0.0
    helpers.PATIENCE = 100
    drawn = {f"seed {seed}": draw(seed) for seed in range(int(sys.argv[1]))}
    two = compare(iter((KERNELS | drawn).items()), 2)
    four = compare(iter((name, KERNELS[name]) for name in ("strided", "uneven", "an atomic")), 4)
    print(json.dumps({"two": two, "four": four}))


if __name__ == "__main__":
    main()
