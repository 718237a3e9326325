"""Whether a kernel is right: fresh inputs, guards, sentinels, inputs left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.gpu.correctness import DeviceCases, StagedCase
from grader.kernels import Argument
from tests.grader.gpu.emulated_device import EmulatedDevice
from tests.grader.gpu.tools import DOUBLE, GOOD
from tests.sentences import english


def ran(kernel, problem=DOUBLE, run=2):
    """What comes of a Python function, called with the arrays in place of a kernel."""
    device = EmulatedDevice()
    case = DeviceCases(problem, 5, None).case(run)
    source = "def double(*given): pass"
    compiled = replace(device.compile(source, "double", case.given, gated=False), handle=kernel)
    with StagedCase(device, case) as staged:
        return staged.run(compiled)


def right(a, out):
    out[:] = 2 * a


def test_what_is_right_passes_with_its_error_and_what_is_allowed():
    checked = ran(right)
    assert (checked.gate, checked.elements, checked.error) == (None, 100, 0.0)
    assert checked.allowed > 0


def test_elements_that_nobody_wrote_are_wrong():
    def most(a, out):
        out[:-1] = 2 * a[:-1]

    gate = ran(most).gate
    assert gate.name == "result"
    assert "1 of 100 elements of out are wrong for n = 100" in english(gate.reason)
    assert "out[99] is nan, not " in english(gate.reason)


def test_an_input_that_was_changed_is_wrong():
    def mutating(a, out):
        right(a, out)
        a[3] += 1

    assert "1 of 100 elements of a were changed" in english(ran(mutating).gate.reason)


@pytest.mark.parametrize("at", [0, 4095, -1, -4096])
@pytest.mark.parametrize("which", [0, 1])
def test_a_byte_beside_an_array_is_seen(which, at):
    def beyond(*given):
        right(*given)
        whole = given[which]
        while whole.base is not None:
            whole = whole.base
        whole[at] ^= 1

    assert "was written before or after" in english(ran(beyond).gate.reason)


def test_inputs_follow_the_seed_and_are_another_at_each_shape():
    first, again, other = (DeviceCases(DOUBLE, seed, None).case(0).given[0] for seed in (1, 1, 2))
    assert (first == again).all()
    assert not (first == other).any()
    small = DeviceCases(DOUBLE, 1, None).case(1).given[0]
    assert not (first[: small.size] == small).all()


def test_the_timed_shape_stands_behind_the_others():
    cases = DeviceCases(DOUBLE, 1, {"n": 1 << 12})
    assert len(cases) == 4
    assert cases.case(3).given[0].size == 1 << 12
    assert cases.case(3).shape == {"n": 4096}


def test_bytes_to_be_moved_are_inputs_and_what_changes():
    assert DeviceCases(DOUBLE, 1, None).case(0).bytes_moved == 512 * 4 * 2
    # Counts that stay 0 need not be written.
    histogram = replace(
        DOUBLE,
        arguments=(
            Argument("a", "int32", ("n",), filling="zeros"),
            Argument("out", "int32", (8,), "inout", filling="zeros"),
        ),
        reference="def reference(a, out): return np.bincount(a, minlength=8)",
    )
    assert DeviceCases(histogram, 1, None).case(0).bytes_moved == 512 * 4 + 8 * 4 + 4


def test_outputs_are_compared_anew_where_a_bit_differs():
    device, case = EmulatedDevice(), DeviceCases(DOUBLE, 5, None).case(2)
    compiled = device.compile("def double(*given): pass", "double", case.given, gated=False)
    with StagedCase(device, case) as staged:
        first = staged.run(replace(compiled, handle=right))
        assert (first.gate, first.elements) == (None, 100)
        assert staged.run(replace(compiled, handle=right)).elements == 0  # the same bits

        def nearly(a, out):
            out[:] = np.nextafter(2 * a, np.float32(9))

        again = staged.run(replace(compiled, handle=nearly))
        assert (again.gate, again.elements) == (None, 100)
        assert 0 < again.error <= again.allowed

        def wrong(a, out):
            out[:] = 2 * a
            out[5] = 0

        assert "1 of 100" in english(staged.run(replace(compiled, handle=wrong)).gate.reason)


def test_the_emulated_device_runs_the_kernel():
    device, case = EmulatedDevice(), DeviceCases(DOUBLE, 1, None).case(0)
    with StagedCase(device, case) as staged:
        assert staged.run(device.compile(GOOD, "double", case.given)).gate is None
    assert device.launches == 1
    assert np.isnan(case.given[1]).all()  # the host's own stay as they were
