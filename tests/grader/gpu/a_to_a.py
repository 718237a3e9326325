"""A copy compared with itself on a GPU, as JSON: run by `test_on_gpu`, in a process of its own."""

from __future__ import annotations

import json
from statistics import median

import numpy as np

from grader.gpu.devices.device import DeviceLaunch
from grader.gpu.devices.numba_device import open_device
from grader.gpu.timing import ratio, sample

KERNEL = """\
from numba import cuda


@cuda.jit
def copy(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i]
"""
ELEMENTS = (1 << 22, 1 << 26)
RUNS = 40
_BLOCK = 256


def main() -> None:
    """Print, for each size, the seconds of a launch and the medians of all runs."""
    device = open_device()
    for count in ELEMENTS:
        given = [np.random.default_rng(0).standard_normal(count, np.float32) for _ in range(2)]
        kernel = device.compile(KERNEL, "copy", given)
        arrays = tuple(device.to_device(one) for one in given)
        launch = DeviceLaunch(kernel, (-(-count // _BLOCK),), (_BLOCK,), arrays)
        device.launch(launch, 10)
        pairs = (sample(device, launch, launch, 0.0) for _ in range(RUNS))
        ratios = [ratio(*pair, seed=run).median for run, pair in enumerate(pairs)]
        seconds = median(device.time_launches([launch] * 30, 10))
        print(
            json.dumps({"elements": count, "seconds": seconds, "ratios": ratios}),
            flush=True,
        )


if __name__ == "__main__":
    main()
