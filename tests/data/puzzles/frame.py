"""Runs a puzzle as collections of puzzles do: a function that takes `cuda` and gives a kernel.

The kernel runs twice: as plain Python with a stand-in for `cuda` that writes down what each thread
touches, and by `numba.cuda.jit`. Only the drawings are missing.
"""

import warnings
from collections import Counter
from dataclasses import dataclass

import numba
import numpy as np
from drawing import *  # noqa: F403
from numba import cuda
from numba.core.errors import NumbaPerformanceWarning

warnings.filterwarnings("ignore", category=NumbaPerformanceWarning, module="numba")
warnings.filterwarnings("ignore", category=numba.NumbaDeprecationWarning)
assert numba.cuda is cuda


@dataclass(frozen=True)
class Size:
    x: int = 1
    y: int = 1

    def both(self):
        return self.x, self.y


class Noted:
    """An array that counts who reads and writes it; all its values are one."""

    def __init__(self, name, shape, counts):
        self.name, self.shape, self.counts = name, shape, counts

    def __getitem__(self, index):
        np.empty(self.shape)[index]
        self.counts[f"{self.name} read"] += 1
        return 1.0

    def __setitem__(self, index, value):
        np.empty(self.shape)[index] = value
        self.counts[f"{self.name} write"] += 1


class OneThread:
    """`cuda` for one thread."""

    def __init__(self, block, threads, thread):
        self.blockIdx, self.blockDim, self.threadIdx = block, threads, thread
        self.counts = Counter()
        self.shared = self
        self.barriers = 0

    def array(self, shape, _dtype):
        return Noted("shared", shape if isinstance(shape, tuple) else (shape,), self.counts)

    def syncthreads(self):
        self.barriers += 1


@dataclass
class Puzzle:
    name: str
    make: object
    inputs: list
    out: np.ndarray
    spec: object
    args: tuple = ()
    blocks: Size = Size()
    threads: Size = Size()

    def by_python(self):
        most = Counter()
        for x in range(self.threads.x):
            one = OneThread(Size(0, 0), self.threads, Size(x, 0))
            noted = [Noted("in", array.shape, one.counts) for array in self.inputs]
            out = Noted("out", self.out.shape, one.counts)
            self.make(one)(out, *noted, *self.args)
            most |= one.counts
        return most

    def check(self):
        most = self.by_python()
        jitted = numba.cuda.jit(self.make(numba.cuda))
        jitted[self.blocks.both(), self.threads.both()](self.out, *self.inputs, *self.args)
        np.testing.assert_allclose(self.out, self.spec(*self.inputs))
        picture = label(black, self.name)  # noqa: F405
        assert picture.beside(black, unit_y) is not None  # noqa: F405
        print("passed:", self.name, dict(most))
