"""A person's way through a kernel that a GPU judges, too: that of a host that stands in for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from quizapp.config import GpuSettings
from tests.deck.tools import question
from tests.far import HOST, far_gpu
from tests.tui.screen_text import screen_text
from tests.tui.studying import WIDE
from tests.tui.test_kernels import (
    SOLUTION,
    THREE,
    Start,
    answers,
    editor,
    hand_in,
    press,
    put,
    seen,
    start,
    study_of,
    tried,
)

__all__ = ["start"]  # a fixture
FAR = GpuSettings(host=HOST)
TIMED = question("kernel", gpu="{shape: {n: 4096}}")
AGAINST = "{en: one thread does it all, zh: 一个线程做完}"
UNREACHED = question(
    "kernel", gpu=f"{{shape: {{n: 4096}}, against: {AGAINST}, speedup: {{Emulated: 3}}}}"
)
SLOW_HOST = "sleep 60"


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far_gpu(tmp_path, monkeypatch)


async def handed_in(pilot: Pilot[int], source: str, text: str) -> str:
    """What stands on the screen once `text` does."""
    await put(pilot, source)
    await pilot.press("ctrl+s")
    return await seen(pilot, text)


async def test_what_passes_is_run_on_the_gpu_and_says_how_fast(start: Start, far: None) -> None:
    async with start(text=TIMED, gpu=FAR, size=WIDE) as pilot:
        text = await handed_in(pilot, SOLUTION, "right on Emulated")
        assert "✓ right at 2 shapes" in text
        assert "speed not judged: the question requires none of Emulated" in text
        assert "[GPU]" in text
        assert "32 blocks a multiprocessor" in text
        await press(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


async def test_what_is_asked_of_a_gpu_is_said_beforehand_if_there_is_one(
    start: Start, far: None
) -> None:
    async with start(text=UNREACHED, gpu=FAR, size=WIDE) as pilot:
        text = screen_text(pilot.app)
        assert (
            "beside a baseline: one thread does it all. Required: at least 3 × (Emulated)." in text
        )


async def test_without_a_gpu_nothing_is_said_of_one(start: Start) -> None:
    async with start(text=UNREACHED, gpu=GpuSettings(use=False), size=WIDE) as pilot:
        assert "baseline" not in screen_text(pilot.app)


async def test_what_is_too_slow_is_a_failure_like_any_other(start: Start, far: None) -> None:
    async with start(text=UNREACHED, gpu=FAR) as pilot:
        text = await handed_in(pilot, SOLUTION, "✗ too slow on Emulated")
        assert "1.00 times the baseline (95 %: 1.00–1.00); at least 3 is required" in text
        assert [(one.gate, one.source) for one in tried(pilot)] == [("gpu speedup", SOLUTION)]
        assert answers(pilot) == []
        assert editor(pilot).text == SOLUTION


async def test_trying_it_out_asks_the_gpu_and_hands_nothing_in(start: Start, far: None) -> None:
    async with start(text=TIMED, gpu=FAR) as pilot:
        await put(pilot, SOLUTION)
        await pilot.press("ctrl+r")
        await seen(pilot, "right on Emulated")
        assert "Only tried out" in await seen(pilot, "Only tried out")
        assert answers(pilot) == []


async def test_what_fails_in_the_emulator_goes_no_further(
    start: Start, far: None, tmp_path: Path
) -> None:
    async with start(text=TIMED, gpu=FAR) as pilot:
        assert "✗ wrong values" in await hand_in(pilot, THREE)
        assert [one.gate for one in tried(pilot)] == ["result"]


async def test_escape_goes_on_without_a_gpu_that_is_slow(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_gpu(tmp_path, monkeypatch, before=SLOW_HOST)
    async with start(text=TIMED, gpu=FAR) as pilot:
        await handed_in(pilot, SOLUTION, "On the GPU for 1 s … esc goes on without.")
        await pilot.press("escape")
        assert "speedup not measured: it was skipped" in await seen(pilot, "speedup not measured")
        await press(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


async def test_a_host_that_cannot_be_reached_takes_no_verdict_away(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_gpu(tmp_path, monkeypatch, before="exit 255")
    async with start(text=TIMED, gpu=FAR, size=WIDE) as pilot:
        text = await handed_in(pilot, SOLUTION, "speedup not measured")
        assert f"no connection to {HOST}" in text
        assert f"make sure that `ssh {HOST}` works" in text
        await press(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


async def test_without_a_gpu_the_verdict_says_so_in_the_person_s_language(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quizapp.gpu.device_nodes", list)
    async with start(text=TIMED, gpu=GpuSettings(), language="zh") as pilot:
        assert "未测加速比：没有可用的 GPU" in await hand_in(pilot, SOLUTION)


async def test_another_host_is_asked_once_the_settings_name_it(start: Start, far: None) -> None:
    async with start(text=TIMED, gpu=GpuSettings(use=False), size=WIDE) as pilot:
        study = study_of(pilot)
        await put(pilot, SOLUTION)
        await pilot.press("ctrl+r")
        await seen(pilot, "the GPU is switched off")
        study.settings = study.settings.__class__(gpu=FAR)
        await pilot.press("ctrl+r")
        assert "right on Emulated" in await seen(pilot, "right on Emulated")
