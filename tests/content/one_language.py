"""Shipped kernel and spot questions that exist in one language alone, each with the reason."""

ONE_LANGUAGE = {
    "fundamentals/spot-quantized-without-a-clamp": (
        "C++ converts a number that does not fit a narrow type without a finding"
    ),
    "shared-memory/spot-double-accumulator": (
        "in C++ a variable is a double only where somebody has written so"
    ),
    "shared-memory/spot-double-constant": (
        "double arithmetic on float data is reported in Numba's kernels alone"
    ),
    "shared-memory/spot-short-block-total": (
        "C++ converts a number that does not fit a narrow type without a finding"
    ),
}
"""By canonical id."""
