"""What devices have said of the bank model: today's must still give every answer that agreed.

`tests/data/calibrations` holds what `quiz calibrate` wrote, as it was sent in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from grader.banks import Access, cost
from grader.gpu import DeviceFacts
from tests.grader.gpu.calibrating import calibrated
from tests.grader.gpu.emulated_device import FACTS, EmulatedDevice

SENT_IN = Path(__file__).parents[2] / "data" / "calibrations"
LANES = 32


def no_longer_given(plain: dict[str, Any]) -> Iterator[str]:
    """Accesses of a calibration that agreed, and of which today's model says something else."""
    arch = plain["facts"]["capability"]
    for group in plain["groups"]:
        for one in group["answers"]:
            if one["state"] != "agree":
                continue
            active = np.array([bool(one["mask"] >> lane & 1) for lane in range(LANES)])
            access = Access(group["kind"], group["width"], np.array(one["offsets"]), active)
            found = cost(access, arch)
            if not found.wavefronts == found.wavefronts_at_most == one["low"] == one["high"]:
                yield f"{group['shown']}, {one['name']}: {one['low']}, now {found.wavefronts}"


def test_what_a_device_says_of_itself_is_accepted():
    for file in sorted(SENT_IN.glob("*.json")):
        facts = msgspec.convert(json.loads(file.read_text("utf-8"))["facts"], DeviceFacts)
        assert facts.memory


def test_todays_model_gives_every_answer_that_agreed_on_a_device():
    for file in sorted(SENT_IN.glob("*.json")):
        plain = json.loads(file.read_text("ascii"))
        assert plain["format"] == 1, file
        assert [*no_longer_given(plain)] == [], file


@pytest.mark.parametrize("capability", ["7.0", "7.5", "8.0", "8.6", "9.0", "10.0", "12.0"])
def test_the_test_above_holds_a_model_to_what_was_measured(capability):
    device = EmulatedDevice(replace(FACTS, capability=capability))
    plain = json.loads(json.dumps(calibrated(device).as_plain()))
    assert [*no_longer_given(plain)] == []
    one = plain["groups"][3]["answers"][-1]
    assert one["state"] == "agree"
    one["low"] = one["high"] = one["low"] + 1
    (said,) = no_longer_given(plain)
    assert said.startswith("ld.shared.b64, at random, lanes 2i and 2i+1 on one element: ")
