"""What a device's clock says of the bank model: asked of an emulator that counts by that model."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.facts import fact
from grader.gpu import Gpu, GpuFailed, WorkerSetup
from grader.gpu.calibrating.calibrate import time_instruction
from grader.gpu.calibrating.calibration import state_of
from grader.gpu.calibrating.probes import INSTRUCTIONS
from grader.gpu.calibrating.timed_accesses import list_accesses
from grader.gpu.client import check_timed
from grader.gpu.command import local_command
from grader.gpu.devices.device import DeviceError
from grader.gpu.messages import InstructionTimes
from grader.wire import Malformed, to_plain
from tests.grader.gpu.calibrating import Floor, NoBroadcast, Slow, calibrated
from tests.grader.gpu.emulated_device import FACTS, EmulatedDevice
from tests.grader.gpu.tools import SETUP
from tests.sentences import expect_error

ALL = sum(len(list_accesses(one)) for one in INSTRUCTIONS)
RETRY_LOOPS = {"atom_add_f32", "atom_add_u64", "atom_add_f64"}


@pytest.fixture(scope="module")
def told():
    return calibrated(EmulatedDevice())


def answers(told, state):
    return [
        (group.name, one) for group in told.groups for one in group.answers if one.state == state
    ]


def test_every_question_has_an_answer(told):
    assert [group.name for group in told.groups] == [one.name for one in INSTRUCTIONS]
    assert sum(told.count(state) for state in ("agree", "differ", "open")) == ALL
    found = told.as_plain()
    assert json.loads(json.dumps(found))["groups"][3]["answers"][2]["offsets"][:3] == [0, 16, 32]
    assert found["facts"] == to_plain(FACTS)
    assert found["format"] == 1


def test_the_model_agrees_with_itself(told):
    assert answers(told, "differ") == []
    assert {name for name, _ in answers(told, "open")} == RETRY_LOOPS
    for group in told.groups:
        assert group.cycles_a_pass == (2.0 if group.kind == "atom_cas" else 1.0)
    for _, one in answers(told, "agree"):
        assert one.cycles == one.behind == one.model == one.low == one.high


def test_of_a_retry_loop_it_is_told_what_was_measured(told):
    loops = [one for name, one in answers(told, "open") if name in RETRY_LOOPS]
    for one in loops:
        assert one.at_most is None
        assert one.low == one.high == one.cycles
        assert one.model <= one.low


def test_fewer_matrices_have_fewer_lanes_in_their_mask(told):
    masks = {group.name: {one.mask for one in group.answers} for group in told.groups}
    for verb in ("ldmatrix", "stmatrix"):
        assert [masks[f"{verb}_x{n}"] for n in (1, 2, 4)] == [{0xFF}, {0xFFFF}, {0xFFFFFFFF}]


def test_a_device_that_differs_is_seen():
    found = answers(calibrated(NoBroadcast()), "differ")
    names = {"all lanes on one word", "all lanes on one element", "all rows the same"}
    assert {one.name for _, one in found} == names
    assert {(one.model + 2, one.low, one.high) for _, one in found} == {
        (model + 2, model + 2, model + 2) for model in (1, 2, 4, 32, 64)
    }
    # Retry loops may take longer than the least.
    assert {name for name, _ in found} & RETRY_LOOPS == set()


def test_under_a_floor_the_clock_cannot_tell():
    told = calibrated(Floor())
    assert answers(told, "differ") == []
    for _, one in answers(told, "agree"):
        assert one.behind > 4 or one.model == one.high
    few = [one for name, one in answers(told, "open") if name == "ld_b32" and not one.rung]
    assert {(one.low, one.high) for one in few} == {(1, 4)}
    assert {one.model for one in few} == {1, 3, 4}
    assert any(one.model == 16 for _, one in answers(told, "agree"))


def test_a_floor_that_the_ballast_hides_hides_nothing(told):
    class Bare(EmulatedDevice):
        def cycles(self, probe, offsets, active):
            return max(6, super().cycles(probe, offsets, active))

    found = calibrated(Bare())
    assert [one.state for group in found.groups for one in group.answers] == [
        one.state for group in told.groups for one in group.answers
    ]
    assert min(one.cycles for group in found.groups for one in group.answers) == 6


def test_where_a_wavefront_takes_longer_the_ladder_says_so():
    told = calibrated(Slow())
    assert answers(told, "differ") == []
    for group in told.groups:
        slow = group.kind in Slow.kinds and group.name not in RETRY_LOOPS
        assert group.cycles_a_pass == 2.0 or not slow
        # By its own ladder it would agree; by that of a load each pass has two wavefronts.
        states = {one.state for one in group.answers if group.name not in RETRY_LOOPS}
        assert states <= ({"open"} if slow else {"agree"})


def test_what_a_device_has_not_is_told_and_the_rest_goes_on(told):
    class Older(EmulatedDevice):
        def __init__(self):
            super().__init__(replace(FACTS, capability="7.5"))

        def load_ptx(self, text, kernels):
            if "ldmatrix.sync.aligned.m8n8.x4.trans" in text:
                raise DeviceError("compile", "unknown modifier .trans")
            return super().load_ptx(text, kernels)

    found = calibrated(Older())
    assert {group.name: group.absent for group in found.groups if group.absent} == {
        "ldmatrix_x4_trans": "unknown modifier .trans",
        **{f"stmatrix_x{n}": fact("gpu.needs-capability", capability="9.0") for n in (1, 2, 4)},
    }
    assert all(group.answers == () for group in found.groups if group.absent)
    assert found.count("agree") > 200


def test_an_architecture_that_is_not_in_the_table_leaves_all_open():
    class Newer(EmulatedDevice):
        def __init__(self):
            super().__init__(replace(FACTS, capability="14.2"))

        def _cost(self, access):
            return self.of_9_0._cost(access)

        of_9_0 = EmulatedDevice()

    told = calibrated(Newer())
    assert told.count("open") == ALL
    assert {one.low for one in told.groups[0].answers} == {1, 2, 3, 4, 8, 16, 32}


def test_without_the_word_load_there_is_nothing_to_judge_by_but_all_is_answered():
    class NoWords(EmulatedDevice):
        def load_ptx(self, text, kernels):
            if "ld_b32" in kernels:
                raise DeviceError("compile", "no")
            return super().load_ptx(text, kernels)

    told = calibrated(NoWords())
    assert told.groups[0].absent == "no"
    assert told.count("open") == ALL - len(list_accesses(INSTRUCTIONS[0]))
    assert {one.low for one in told.groups[1].answers if one.rung} == {1, 2, 8, 32}


def test_after_a_poison_nothing_is_asked_any_more():
    class Poisoned(EmulatedDevice):
        def _run(self, *_):
            raise DeviceError("illegal-access", "0x0")

    with expect_error(DeviceError, r"st\.shared\.b8: 0x0") as raised:
        time_instruction(Poisoned(), "st_b8", 2)
    assert raised.value.poisoned


def test_times_of_other_accesses_are_refused():
    with pytest.raises(Malformed):
        check_timed(InstructionTimes(cycles=(1.0,), behind=(1.0,)), list_accesses(INSTRUCTIONS[0]))
    check_timed(InstructionTimes(absent="no"), list_accesses(INSTRUCTIONS[0]))


@pytest.mark.parametrize(
    ("model", "at_most", "low", "high", "state"),
    [
        (4, 4, 4, 4, "agree"),
        (4, 4, 3, 4, "open"),
        (4, 4, 4, None, "open"),
        (4, 4, 5, 5, "differ"),
        (4, 4, 5, None, "differ"),
        (4, 4, 1, 3, "differ"),
        (4, None, 9, 9, "open"),  # a lower bound
        (4, None, 4, 4, "open"),
        (4, None, 1, 3, "differ"),  # below it
        (4, 8, 6, 6, "open"),
        (4, 8, 9, 9, "differ"),
        (None, None, 4, 4, "open"),
    ],
)
def test_a_state(model, at_most, low, high, state):
    assert state_of(model, at_most, low, high) == state


# Through a worker


def test_a_worker_is_asked_instruction_by_instruction():
    said: list[str] = []
    with Gpu(setup=SETUP) as gpu:
        told = gpu.calibrate(said.append)
        assert (told.facts, told.count("differ")) == (FACTS, 0)
        assert gpu.worker_id
    assert said[0] == fact(
        "gpu.timing", instruction="ld.shared.b32", number=1, count=len(INSTRUCTIONS)
    )
    assert len(said) == len(INSTRUCTIONS)


ODD = """\
from grader.gpu.devices.device import DeviceError
from tests.grader.gpu.emulated_device import EmulatedDevice


class Odd(EmulatedDevice):
    def _run(self, launch, seconds):
        {body}
        return super()._run(launch, seconds)


open_device = Odd
"""


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("raise DeviceError('illegal-access', 'an address')", "crashed",
         "failed: ld.shared.b32: an address"),
        ("import os; os._exit(3)", "crashed", "ended with status 3"),
    ],
)  # fmt: skip
def test_a_device_that_fails_ends_it_with_what_happened(tmp_path, monkeypatch, body, kind, words):
    (tmp_path / "odd_calibrated.py").write_text(ODD.format(body=body), "utf-8")
    command = local_command("odd_calibrated", gated=True)
    also = f"import sys; sys.path.append({str(tmp_path)!r});"
    command[3] = command[3].replace("import sys;", also)
    monkeypatch.setattr("grader.gpu.client.local_command", lambda *_, **__: command)
    with Gpu(setup=WorkerSetup()) as gpu:
        with expect_error(GpuFailed, words) as raised:
            gpu.calibrate()
        assert raised.value.kind == kind
        assert not gpu.worker_id
