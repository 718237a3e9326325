"""Matrix products of PyTorch (cuBLAS): speed by number format, and by how many rows there are."""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from bench.gpu.claims.figures import Figure

_SIDE = 8192
_ROWS = (1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
_RUNS = 9


def products() -> Iterator[Figure]:
    """TFLOP/s of square products by format; time and TFLOP/s of thin ones in bfloat16."""
    torch: Any = importlib.import_module("torch")
    yield Figure("machine", "PyTorch", "version", str(torch.__version__))
    for name, multiply in _formats(torch):
        ms = _median_ms(torch, multiply)
        yield Figure(
            "products", f"8192 cubed, {name}", "TFLOP/s", _short(2 * _SIDE**3 / ms / 1e9), "TFLOP/s"
        )
    weights = torch.randn(_SIDE, _SIDE, device="cuda", dtype=torch.bfloat16)
    for rows in _ROWS:
        values = torch.randn(rows, _SIDE, device="cuda", dtype=torch.bfloat16)
        ms = _median_ms(torch, partial(torch.matmul, values, weights.T))
        case = f"{rows} x 8192 times 8192 x 8192, bfloat16"
        yield Figure("products", case, "time", _short(1000 * ms), "us")
        speed = _short(2 * rows * _SIDE**2 / ms / 1e9)
        yield Figure("products", case, "TFLOP/s", speed, "TFLOP/s")
        moved = 2 * (_SIDE * _SIDE + 2 * rows * _SIDE)
        yield Figure("products", case, "bandwidth", _short(moved / ms / 1e6), "GB/s")


def _formats(torch: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Of each format that is there, a product on random data."""
    for name in ("float64", "float32", "TF32", "float16", "bfloat16"):
        torch.backends.cuda.matmul.allow_tf32 = name == "TF32"
        kind = torch.float32 if name == "TF32" else getattr(torch, name)
        left, right = (torch.randn(_SIDE, _SIDE, device="cuda", dtype=kind) for _ in range(2))
        yield name, partial(torch.matmul, left, right)
    left, right = (
        torch.randn(_SIDE, _SIDE, device="cuda").to(torch.float8_e4m3fn) for _ in range(2)
    )
    one = torch.ones((), device="cuda")
    yield (
        "FP8 (E4M3)",
        lambda: torch._scaled_mm(left, right.T, one, one, out_dtype=torch.bfloat16),  # noqa: SLF001
    )
    whole, other = (
        torch.randint(-128, 127, (_SIDE, _SIDE), device="cuda", dtype=torch.int8) for _ in range(2)
    )
    yield "int8", lambda: torch._int_mm(whole, other.T)  # noqa: SLF001


def _median_ms(torch: Any, work: Callable[[], Any]) -> float:
    """Of runs after two that warm up, each after 256 MB that pass through L2."""
    flush = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")
    times: list[float] = []
    for _ in range(_RUNS + 2):
        flush.zero_()
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        work()
        after.record()
        after.synchronize()
        times.append(before.elapsed_time(after))
    return statistics.median(times[2:])


def _short(number: float) -> str:
    return f"{number:.4g}"
