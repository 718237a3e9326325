"""A person's way through a kernel that a GPU judges, too: that of a host that stands in for one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from quizapp.domain.log.events import LogEntry, Submitted
from quizapp.domain.question import Kernel
from quizapp.report.words import Words
from quizapp.study.examiner import Examiner
from quizapp.system.config import GpuSettings
from tests.deck.tools import question
from tests.lying_hosts import install_lying_gpu
from tests.remote_gpu import HOST, far_gpu
from tests.sampling import every
from tests.tui.pilots import WIDE, behind, tap
from tests.tui.screen_text import screen_text, wait_for_text, wait_until
from tests.tui.test_kernels import (
    SOLUTION,
    THREE,
    Start,
    answers,
    bodies,
    editor,
    failed_submissions,
    hand_in,
    put,
    start,
    study_of,
)

VAST = (200, 50)
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


def events(pilot: Pilot[int]) -> list[LogEntry]:
    return study_of(pilot).store.events("pack/a-kernel")


async def submit_source(pilot: Pilot[int], source: str, text: str) -> str:
    """What stands on the screen once `text` does."""
    await put(pilot, source)
    await pilot.press("ctrl+s")
    return await wait_for_text(pilot, text)


async def test_what_passes_is_run_on_the_gpu_and_says_how_fast(start: Start, far: None) -> None:
    async with start(text=TIMED, gpu=FAR, size=VAST) as pilot:
        text = await submit_source(pilot, SOLUTION, "right on Emulated")
        assert "✓ right at 2 shapes" in text
        assert "speed not judged: the question sets no speedup for Emulated" in text
        assert "[GPU]" in text
        assert "32 blocks per SM" in text
        await tap(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


async def test_what_is_asked_of_a_gpu_is_said_beforehand_if_there_is_one(
    start: Start, far: None
) -> None:
    async with start(text=UNREACHED, gpu=FAR, size=VAST) as pilot:
        text = screen_text(pilot.app)
        assert "against a baseline: one thread" in text
        assert "(Emulated)." in text


async def test_without_a_gpu_nothing_is_said_of_one(start: Start) -> None:
    async with start(text=UNREACHED, gpu=GpuSettings(use=False), size=WIDE) as pilot:
        assert "baseline" not in screen_text(pilot.app)


async def test_what_is_too_slow_is_a_failure_like_any_other(start: Start, far: None) -> None:
    async with start(text=UNREACHED, gpu=FAR) as pilot:
        text = await submit_source(pilot, SOLUTION, "✗ too slow on Emulated")
        assert "1.00× speedup over the baseline (95%: 1.00–1.00)" in text
        assert "at least 3× is required" in text
        assert [(one.gate, one.source) for one in failed_submissions(pilot)] == [
            ("gpu speedup", SOLUTION)
        ]
        assert answers(pilot) == []
        assert editor(pilot).text == SOLUTION


async def test_trying_it_out_asks_the_gpu_and_hands_nothing_in(start: Start, far: None) -> None:
    async with start(text=TIMED, gpu=FAR) as pilot:
        await put(pilot, SOLUTION)
        await pilot.press("ctrl+r")
        await wait_for_text(pilot, "right on Emulated")
        assert "Only test-run" in await wait_for_text(pilot, "Only test-run")
        assert answers(pilot) == []


async def test_what_fails_in_the_emulator_goes_no_further(
    start: Start, far: None, tmp_path: Path
) -> None:
    async with start(text=TIMED, gpu=FAR) as pilot:
        assert "✗ wrong values" in await hand_in(pilot, THREE)
        assert [one.gate for one in failed_submissions(pilot)] == ["result"]


async def test_escape_goes_on_without_a_gpu_that_is_slow(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_gpu(tmp_path, monkeypatch, before=SLOW_HOST)
    async with start(text=TIMED, gpu=FAR) as pilot:
        await submit_source(pilot, SOLUTION, "s … esc continues without it.")
        await wait_until(pilot, (tmp_path / "log").exists)
        await pilot.press("escape")
        assert "speedup not measured: it was skipped" in await wait_for_text(
            pilot, "speedup not measured"
        )
        await tap(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


async def test_a_host_that_cannot_be_reached_takes_no_verdict_away(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_gpu(tmp_path, monkeypatch, before="exit 255")
    async with start(text=TIMED, gpu=FAR, size=WIDE) as pilot:
        text = await submit_source(pilot, SOLUTION, "speedup not measured")
        assert f"no connection to {HOST}" in text
        assert f"make sure that `ssh {HOST}` works" in text
        await tap(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


async def test_without_a_gpu_the_verdict_says_so_in_the_person_s_language(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", list)
    async with start(text=TIMED, gpu=GpuSettings(), language="zh") as pilot:
        assert "未测加速比：本机没有 GPU" in await hand_in(pilot, SOLUTION)


async def test_another_host_is_asked_once_the_settings_name_it(start: Start, far: None) -> None:
    async with start(text=TIMED, gpu=GpuSettings(use=False), size=WIDE) as pilot:
        study = study_of(pilot)
        await put(pilot, SOLUTION)
        await pilot.press("ctrl+r")
        await wait_for_text(pilot, "the GPU is switched off")
        study.course.settings = study.settings.__class__(gpu=FAR)
        await pilot.press("ctrl+r")
        assert "right on Emulated" in await wait_for_text(pilot, "right on Emulated")


@pytest.mark.parametrize(
    "lie",
    every(
        2,
        ["empty-problem", "wrong-types", "deep", "nan", "flood", "set:graded.speed.ratio={}"],
        str,
    ),
)
async def test_a_host_that_lies_ends_no_screen_and_takes_no_verdict_away(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    install_lying_gpu(tmp_path, monkeypatch, lie)
    async with start(text=TIMED, gpu=FAR, size=WIDE) as pilot:
        await submit_source(pilot, SOLUTION, "speedup not measured")
        await tap(pilot, "3")
        assert [one.correct for one in answers(pilot)] == [True]


# Cut short in the middle of the GPU's turn


async def test_a_submission_is_stored_before_the_gpu_is_asked(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And an escape that comes even before that is not lost."""
    far_gpu(tmp_path, monkeypatch, before=SLOW_HOST)
    gate = Event()
    monkeypatch.setattr(Examiner, "measure", behind(gate, Examiner.measure))
    async with start(text=TIMED, gpu=FAR) as pilot:
        await submit_source(pilot, SOLUTION, "On the GPU for")
        (submitted,) = bodies(pilot)
        assert isinstance(submitted, Submitted)
        assert (submitted.source, submitted.gates["result"]) == (SOLUTION, "passed")
        assert study_of(pilot).store.draft("pack/a-kernel") == SOLUTION
        await pilot.press("escape")
        gate.set()
        await wait_for_text(pilot, "speedup not measured")
        await tap(pilot, "3")
        (event,) = (e for e in events(pilot) if isinstance(e.body, Submitted))
        assert [one.submission for one in answers(pilot)] == [event.id]


@pytest.fixture
def left(start: Start, far: None) -> Start:
    """A start at a kernel whose submission was left in the middle of the GPU's turn."""

    @asynccontextmanager
    async def opened(**settings: Any) -> AsyncIterator[Pilot[int]]:
        async with start(text=TIMED, gpu=FAR, size=WIDE, **settings) as pilot:
            study = study_of(pilot)
            asked = study.session.next()
            assert asked is not None
            assert isinstance(asked.question, Kernel)
            checked = study.examiner.check(asked.question, SOLUTION)
            study.attempts.submit(asked, checked)
            put_anew = study.session.next()
            assert put_anew is not None
            pilot.app.screen.put(put_anew)  # type: ignore[attr-defined]
            await pilot.pause()
            yield pilot

    return opened


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_was_left_is_offered_and_its_emulator_verdict_is_taken(
    left: Start, language: str
) -> None:
    async with left(language=language) as pilot:
        say = Words(language)  # type: ignore[arg-type]
        note = say("kernel.pending", check="^s", key="^g")
        assert "".join(note.split()) in "".join(screen_text(pilot.app).split())
        assert editor(pilot).text == SOLUTION
        await pilot.press("ctrl+g")
        await wait_for_text(pilot, say("gpu.not-measured", why=say("gpu.skipped")))
        await tap(pilot, "3")
        (answer,) = answers(pilot)
        (event,) = (e for e in events(pilot) if isinstance(e.body, Submitted))
        assert (answer.correct, answer.submission, answer.response) == (True, event.id, SOLUTION)


async def test_or_it_is_handed_in_again(left: Start) -> None:
    async with left() as pilot:
        await pilot.press("ctrl+s")
        await wait_for_text(pilot, "right on Emulated")
        await tap(pilot, "3")
        assert [type(body) for body in bodies(pilot)].count(Submitted) == 1
        assert [one.correct for one in answers(pilot)] == [True]


async def test_what_fails_after_it_leaves_nothing_to_take(left: Start) -> None:
    async with left() as pilot:
        await hand_in(pilot, THREE)
        await pilot.press("ctrl+g")
        assert "No submission is waiting for the GPU." in await wait_for_text(
            pilot, "No submission"
        )
        assert answers(pilot) == []
