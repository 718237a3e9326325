"""Draws whole programs: a kernel of one family, with its declarations, inputs and faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_features import (
    atomics,
    barriers,
    groups,
    language,
    matrices,
    memory,
    numbers,
)
from bench.gpu.cuda_features.drawing import WORDS, Writer

COUNT = 300
_MOST_SHOWN = 8
_OF_CLUSTERS = 4
"""Blocks of a launch of clusters."""
_BEYOND = 8
"""Words of the output that no thread has for itself."""
INPUT = 2048
"""Elements of each input, of which threads have the first ones."""
_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 65504.0, 1e5, -448.0, 3e-5, 6e-8, 1e-6, 2.5, 3.5, -0.1)


@dataclass(frozen=True, slots=True)
class Family:
    """What programs are about.

    Attributes:
        write: writes a body.
        headers: that it includes.
        before: declarations of all its programs.
        waits: True if a wrong one may wait without end.
    """

    name: str
    write: Callable[[Writer], None]
    headers: tuple[str, ...] = ()
    before: str = ""
    waits: bool = False


_GROUPS = ("cooperative_groups.h",)
_COLLECTIVE = (*_GROUPS, "cooperative_groups/reduce.h", "cooperative_groups/scan.h")
_CG = "namespace cg = cooperative_groups;"
_FLOATS = ("cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h")
FAMILIES = (
    Family("half", numbers.halves, _FLOATS, numbers.ALIASES),
    Family("bfloat16", numbers.bfloats, _FLOATS, numbers.ALIASES),
    Family("fp8", numbers.bytes_of_floats, _FLOATS, numbers.ALIASES),
    Family("packed words", numbers.packed_words),
    Family("inline PTX", numbers.inline_ptx),
    Family("tiles", groups.tiles, _COLLECTIVE, _CG),
    Family("coalesced threads", groups.coalesced, _COLLECTIVE, _CG),
    Family("blocks", groups.blocks, _COLLECTIVE, _CG),
    Family("warps", groups.warps),
    Family("barriers", barriers.barriers, (*_GROUPS, "cuda/barrier"), _CG, waits=True),
    Family("clusters", groups.clusters, _GROUPS, _CG, waits=True),
    Family("pipelines", barriers.pipelines, (*_GROUPS, "cuda/pipeline"), _CG, waits=True),
    Family("copies", barriers.copies, ("cuda_pipeline.h",)),
    Family("atomics", atomics.references, ("cuda/atomic",), waits=True),
    Family("wmma", matrices.fragments, ("mma.h", *_FLOATS), "using namespace nvcuda;"),
    Family("mma", matrices.products, _FLOATS),
    Family("lambdas", language.lambdas),
    Family("structs", language.structs),
    Family("packs", language.packs),
    Family("unions", language.unions),
    Family("functions", language.functions),
    Family("cub", language.libraries, ("cub/cub.cuh",)),
    Family("shared memory", memory.shared),
    Family("global memory", memory.plain),
    Family("narrow memory", memory.narrow, _FLOATS, numbers.ALIASES),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel `k` of two inputs and one output.

    Attributes:
        text: without what it includes.
        faults: edits that each make it wrong.
    """

    seed: int
    family: Family
    text: str
    blocks: int
    threads: int
    words: int
    faults: tuple[tuple[str, str], ...]

    @property
    def kernel(self) -> str:
        """Its name."""
        return f"k{self.seed}"

    @property
    def source(self) -> str:
        """All of it."""
        return "".join(f"#include <{each}>\n" for each in self.family.headers) + self.text

    def inputs(self) -> list[NDArray[Any]]:
        """Draw the inputs, the same each time: words, and floats of all sizes."""
        random = np.random.default_rng(self.seed)
        words = random.integers(0, 2**32, INPUT, dtype=np.uint32)
        words >>= random.choice(np.array([0, 0, 8, 16, 24, 28], np.uint32), INPUT)
        floats = random.uniform(-8, 8, INPUT) * random.choice([1, 1, 1, 16, 300], INPUT)
        special = random.random(INPUT) < 0.1
        floats[special] = random.choice(_SPECIAL, special.sum())
        return [words, floats.astype(np.float32)]

    def outputs(self) -> NDArray[Any]:
        """Return an empty output."""
        return np.zeros(self.blocks * self.threads * self.words + _BEYOND, np.uint32)

    def broken(self) -> list[Program]:
        """Return one with each fault."""
        found = []
        for old, new in self.faults:
            assert old in self.text, (self.seed, old)
            found.append(replace(self, text=self.text.replace(old, new, 1), faults=()))
        return found


def draw(seed: int) -> Program:
    """Draw a program; the same for the same seed."""
    random = Random(seed)
    family = FAMILIES[seed % len(FAMILIES)]
    threads, blocks = random.choice((64, 96, 128)), random.choice((2, 3))
    writer = Writer(random, numbers.TYPES)
    family.write(writer)
    blocks = _OF_CLUSTERS if writer.cluster else blocks
    shown = writer.shown(_MOST_SHOWN) + writer.all_read()
    place = random.choice(("i * OUTS + {}", "{} * n + i"))
    lines = [f"out[{place.format(at)}] = {word};" for at, word in enumerate(shown)]
    text = "\n".join([
        f"constexpr int THREADS = {threads}, OUTS = {len(shown)};",
        "__device__ unsigned bits(float v) { return v == v ? __float_as_uint(v) : 0x7fc00000u; }",
        *filter(None, (family.before, *writer.before)),
        f'extern "C" __global__ {_dims(writer)}void k{seed}({_PARAMETERS}) {{',
        *(f"    {line}" for line in (_BEGIN, *writer.inputs.values(), *writer.lines, *lines)),
        "}", "",
    ])  # fmt: skip
    return Program(seed, family, text, blocks, threads, len(shown), tuple(writer.faults))


def _dims(writer: Writer) -> str:
    return f"__cluster_dims__({writer.cluster}, 1, 1) " if writer.cluster else ""


_PARAMETERS = "const unsigned* a, const float* x, unsigned* out"
_BEGIN = "const int i = blockIdx.x * THREADS + threadIdx.x, n = gridDim.x * THREADS;"
assert WORDS * _OF_CLUSTERS * 128 <= INPUT
