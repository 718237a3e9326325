"""What a device says of the bank model: asked of the emulator, which counts by that model."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.gpu.calibrate import calibrated, questions
from grader.gpu.device import DeviceError
from grader.gpu.outcome import facts_from
from tests.grader.gpu.emulated_device import FACTS, EmulatedDevice

ONE = replace(FACTS, multiprocessors=1)


class Exact(EmulatedDevice):
    """Its times are the wavefronts of the loop alone, however few."""

    slower = 1.0

    def timed(self, launches, seconds):
        found = super().timed(launches, seconds)
        index = launches[0].arguments[0].handle.shaped
        return [one * self.slower if (index == 0).all() else one for one in found]

    def _timed(self, launch, seconds):
        self._times.clear()
        return super()._timed(launch, seconds)


@pytest.fixture(scope="module")
def told():
    return calibrated(Exact(ONE), rounds=8)


def test_every_question_has_an_answer(told):
    assert json.loads(json.dumps(told)) == told
    assert len(told["answers"]) == len([*questions()]) > 60
    assert facts_from(told["facts"]) == ONE
    assert told["refused"] == []


def test_a_ladder_climbs(told):
    rungs: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for one in told["answers"]:
        if one["agrees"] is None:
            rungs.setdefault((one["kind"], one["width"]), []).append((one["model"], one["seconds"]))
    assert len(rungs) == 9
    for found in rungs.values():
        assert [seconds for _, seconds in sorted(found)] == sorted(s for _, s in found)


def test_the_model_agrees_with_itself(told):
    judged = [one for one in told["answers"] if one["agrees"] is not None]
    wrong = [one for one in judged if not one["agrees"]]
    assert wrong == []
    assert told["agree"] == len(judged)


def test_a_device_that_differs_is_seen():
    class Other(Exact):
        slower = 3.0  # a word that all lanes read costs more than one wavefront

    told = calibrated(Other(ONE), rounds=8)
    assert told["differ"] > 0
    assert {one["name"] for one in told["answers"] if one["agrees"] is False} == {
        "one word for all"
    }


def test_what_does_not_compile_is_told_and_the_rest_goes_on():
    class Narrow(Exact):
        def compile(self, source, *given, **options):
            if "int8" in source:
                raise DeviceError("compile", "no int8 here")
            return super().compile(source, *given, **options)

    told = calibrated(Narrow(ONE), rounds=2)
    assert told["refused"] == [
        "load of 1 bytes: no int8 here", "store of 1 bytes: no int8 here",
    ]  # fmt: skip
    assert len(told["answers"]) > 50
