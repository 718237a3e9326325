"""Generated kernels with what C++ has beyond plain numbers, beside what an H200 gave and counted.

The records are those of `python -m bench.gpu.cuda_features`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from bench.gpu.cuda_features import compiled, counting, record
from bench.gpu.cuda_features.programs import COUNT, FAMILIES, draw
from grader.compiled.parts import has_nvrtc

ROWS = record.load()
SAMPLE = range(len(FAMILIES) + 5)
"""One of each family, and some more."""
WAITING = ("tiles", "blocks", "clusters", "barriers", "pipelines", "copies", "atomics")
"""Families whose threads wait for each other."""
FAULTS = [
    (program.family.name, seed, at)
    for seed in range(COUNT)
    if (program := draw(seed)).family.name in WAITING
    for at in range(len(program.faults))
]
FIRST = {family: (seed, at) for family, seed, at in reversed(FAULTS)}


def _wrong(seed: int) -> str | None:
    program = draw(seed)
    assert ROWS[seed].sha256 == record.sha256(program), "run it again on a GPU"
    return record.problem_of(program, ROWS[seed])


def _is_found(seed: int, at: int) -> bool:
    _, done = record.emulate(draw(seed).broken()[at])
    return bool(done.faults)


@pytest.mark.parametrize("seed", SAMPLE)
def test_a_kernel_gives_a_gpus_bits_and_nobody_is_blamed(seed):
    assert _wrong(seed) is None


@pytest.mark.long
@pytest.mark.parametrize("seed", range(len(SAMPLE), COUNT))
def test_every_kernel_does(seed):
    assert _wrong(seed) is None


@pytest.mark.skipif(not has_nvrtc(), reason="needs the extra `compile`")
def test_kernels_give_a_gpus_bits_from_their_ptx_too():
    (said, *_) = compiled.compare([draw(seed) for seed in (3, 28)])  # bytes in words
    assert said == "2 of 2 programs give the GPU's bits from their PTX"


@pytest.mark.long
@pytest.mark.skipif(not has_nvrtc(), reason="needs the extra `compile`")
def test_every_kernel_does_from_its_ptx():
    (said, *_) = compiled.compare([draw(seed) for seed in range(COUNT)])
    assert said == "300 of 300 programs give the GPU's bits from their PTX"


def test_there_are_enough_of_each():
    kernels = [draw(seed).family.name for seed in ROWS]
    assert len(kernels) == COUNT
    assert sum(kernels.count(family) for family in WAITING) >= 60
    found = Counter(family for family, _, _ in FAULTS)
    assert min(found[family] for family in WAITING) >= 10


@pytest.mark.parametrize("family", FIRST)
def test_a_fault_of_each_family_is_found(family):
    assert _is_found(*FIRST[family])


@pytest.mark.long
@pytest.mark.parametrize(("family", "seed", "at"), FAULTS)
def test_every_fault_is_found(family, seed, at):
    assert _is_found(seed, at)


@pytest.mark.parametrize("seed", [22, 23, 24])
def test_the_counters_of_a_kernel_are_a_gpus(seed):
    assert counting.problems(draw(seed)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(COUNT))
def test_the_counters_of_every_kernel_are_or_it_is_said_why_not(seed):
    assert counting.problems(draw(seed)) == []


def test_each_reason_explains_a_counter():
    assert counting.idle_reasons() == []
