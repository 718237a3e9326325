"""Clean kernels are not blamed, and what an edit breaks is found at its line."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.grader.simt.cuda.fault_corpus import kernels, mutations

EVERY = list(mutations())
FIRST = {mutation.kind: mutation for mutation in reversed(EVERY)}
"""One of each class."""


@pytest.mark.parametrize("name", kernels())
def test_a_clean_kernel_is_not_blamed(name):
    kernel = kernels()[name]
    done = kernel.run(kernel.text)
    assert (done.finished, done.findings) == (True, ())


def test_there_are_enough_of_each():
    classes = Counter(mutation.kind for mutation in EVERY)
    assert len(kernels()) >= 60
    assert len(classes) >= 13
    assert min(classes.values()) >= 10


@pytest.mark.parametrize("mutation", FIRST.values(), ids=FIRST)
def test_a_mutation_of_each_class_is_found_at_its_line(mutation):
    assert mutation.found() == ""


def test_a_race_within_a_warp_says_what_orders_lanes():
    mutation = FIRST["missing syncwarp"]
    fault, *_ = mutation.kernel.run(mutation.text).faults
    assert fault.hint is not None
    assert fault.hint.code == "advice.lockstep"
    alone = kernels()["append"]  # two lanes in one instruction: no order of lanes helps
    for each in alone.run(alone.text.replace("out[at] = v", "out[0] = v")).faults:
        assert each.hint is None


@pytest.mark.long
@pytest.mark.parametrize("mutation", EVERY, ids=lambda mutation: mutation.edit)
def test_every_mutation_is_found_at_its_line(mutation):
    assert mutation.found() == ""
