"""The index of an atomic is worked out once, however many axes it has."""

from __future__ import annotations

import numpy as np

from grader.simt import launch

KERNEL = """
def count(data, bins):
    t = cuda.threadIdx.x
    cuda.atomic.add(bins, (t // 32, data[t]), 1)
"""


def test_what_an_index_loads_is_loaded_once():
    data = (np.arange(64) % 4).astype(np.uint8)
    bins = np.zeros((2, 4), np.int32)
    done = launch(KERNEL, 1, 64, [data, bins])
    assert done.totals["global_load_requests"] == 2
    assert (bins == 8).all()
