"""Figures of reports as people read them: times and shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizapp.report.words import Words


def clock_time(ms: int) -> str:
    """Write a time as minutes and seconds: 2:05."""
    seconds = round(ms / 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def percent(share: float | None) -> str:
    """Write a share of -1 to 1 as a percentage; a dash where there is none."""
    return "–" if share is None else f"{share * 100:.0f}%".replace("-", "−")


def count_between(least: int, most: int, say: Words) -> str:
    """Write a count of which only the bounds may be known; `least` 0 says nothing."""
    return str(most) if least in (0, most) else say("study.total-between", least=least, most=most)
