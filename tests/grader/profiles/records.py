"""Launches for tests of reports: run by the emulator, as `quiz profile` records them."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.profiles import LaunchRecord, read_launches
from grader.simt.host.session import Config, ScriptSession

TRANSPOSE = """
from numba import cuda, float32

def transpose(image, out):
    tile = cuda.shared.array((32, PITCH), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = image[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 32 + tx
    y = cuda.blockIdx.x * 32 + ty
    out[y, x] = tile[tx, ty]
"""
NAIVE = """
from numba import cuda

def naive(image, out):
    x, y = cuda.grid(2)
    out[x, y] = image[y, x]
"""


def recorded(source: str, grid: Any = (2, 2), block: Any = (32, 32), n: int = 64) -> LaunchRecord:
    """Run a kernel over two n × n images; the record that a report reads."""
    session = ScriptSession()
    images = [np.zeros((n, n), np.float32), np.zeros((n, n), np.float32)]
    session.run(source, Config(grid, block), images)
    [launch] = read_launches({"launches": session.launches})
    return launch


def transposed(pitch: int = 32) -> LaunchRecord:
    """A tiled transpose whose rows have this pitch."""
    return recorded(TRANSPOSE.replace("PITCH", str(pitch)))
