"""What `quiz mock --json` prints: themes, interviews, and reports as plain values.

While a stage is still to be asked, nothing of how the others went.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quizapp.domain.days import as_date
from quizapp.domain.question import prose

if TYPE_CHECKING:
    from collections.abc import Mapping

    from quizapp.domain.interview_theme import InterviewTheme
    from quizapp.report.words import Words
    from quizapp.study.mock.interview_report import InterviewReport, StageReport

_TELLING = frozenset(
    {
        *("score", "ticked", "credit", "counted", "points_covered", "probes_right"),
        *("confident_errors", "to_study", "skills", "weaknesses"),
    }
)
"""What says how an answer went."""


def theme_as_plain(theme: InterviewTheme, say: Words) -> dict[str, Any]:
    """Return what `quiz mock --themes --json` prints of a theme."""
    return {
        "theme": theme.id,
        "title": prose(theme.title, say.language),
        "about": prose(theme.about, say.language),
        "topic": theme.topic,
        "difficulty": theme.difficulty,
        "minutes": theme.minutes,
        "stages": [stage.name for stage in theme.stages],
    }


def report_as_plain(report: InterviewReport) -> dict[str, Any]:
    """Return what `quiz mock --report N --json` prints; the keys are promised in docs/cli.md."""
    values = {
        "number": report.number,
        "day": as_date(report.day).isoformat(),
        "style": report.style,
        "minutes": report.minutes,
        "ending": report.ending,
        "themes": list(dict.fromkeys(stage.theme for stage in report.stages)),
        "score": _rounded(report.score),
        "ticked": _rounded(report.ticked),
        "graded": sum(stage.is_graded for stage in report.stages),
        "not_graded": report.count("skipped"),
        "not_reached": report.count("not-reached"),
        **_counts(report),
        "confident_errors": [stage.name for stage, _ in report.confident_errors],
        "to_study": list(report.to_study),
        "queued": list(report.queued),
        "skills": [
            {
                "skill": each.skill,
                "score": _rounded(each.graded),
                "ticked": _rounded(each.ticked),
                "stages": [stage.name for stage in each.stages],
            }
            for each in report.skills
        ],
        "weaknesses": [
            {"stage": stage.name, "question": name} for stage, name in report.weaknesses
        ],
        "stages": [_stage_as_plain(report, stage) for stage in report.told_stages],
    }
    return values if report.is_asked_through else _withhold(values)


def _counts(of: InterviewReport | StageReport) -> dict[str, int]:
    """Return what a stage and the whole interview count alike."""
    return {
        "points_covered": of.points[0],
        "points": of.points[1],
        "probes_right": of.probes[0],
        "probes": of.probes[1],
        "elapsed_ms": of.elapsed_ms,
        "par_ms": of.par_ms,
        "hints": of.hints,
    }


def _stage_as_plain(report: InterviewReport, stage: StageReport) -> dict[str, Any]:
    values = {
        "theme": stage.theme,
        "stage": stage.name,
        "state": report.told_state(stage),
        "kind": stage.kind or None,
        "question": stage.deck_question or None,
        "score": round(stage.score, 4),
        "credit": stage.credit,
        "counted": [[round(each, 4) for each in pair] for pair in stage.counted],
        **_counts(stage),
        "failures": stage.failures,
        "confidence": stage.confidence,
        "skill": stage.skill,
    }
    return values if report.is_asked_through else _withhold(values)


def _withhold(values: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out how it went: null, or an empty list."""
    return {name: _emptied(value) if name in _TELLING else value for name, value in values.items()}


def _emptied(value: object) -> list[object] | None:
    return [] if isinstance(value, list) else None


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
