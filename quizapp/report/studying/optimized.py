"""What came of fitting the scheduler to a person's answers, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from quizapp.report.lines import Line, sentence, table

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.optimizing import FitOutcome

_WITHOUT_FIT = ("reviews", "missing", "adopted")


def as_plain(found: FitOutcome) -> dict[str, Any]:
    """Return what `quiz optimize --json` prints; the keys are promised in docs/cli.md.

    What only a fit can say is None where there are too few reviews for one.
    """
    plain = asdict(found)
    if not found.missing:
        return plain
    return {key: plain[key] if key in _WITHOUT_FIT else None for key in plain}


def lines(found: FitOutcome, say: Words) -> Iterator[Line]:
    """Show before and after, and whether the fitted weights were adopted."""
    if found.missing:
        yield sentence(say("optimize.too-few", reviews=found.reviews, n=found.missing))
        return
    before, after = f"{found.before:.4f}", f"{found.after:.4f}"
    gain, error = f"{found.before - found.after:.4f}", f"{found.error:.4f}"
    due = str(found.due_before), str(found.due_after)
    rows = [
        ("", say("optimize.before"), say("optimize.after"), ""),
        (say("optimize.loss"), before, after, say("optimize.loss-about", n=found.held_out)),
        (say("optimize.gain"), "", gain, say("optimize.gain-about", error=error)),
        (say("optimize.due"), *due, say("optimize.due-about")),
    ]
    yield from table(rows, right=(1, 2))
    yield sentence("")
    if found.adopted:
        yield sentence(say("optimize.adopted"))
    elif found.is_better:
        yield sentence(say("optimize.would"))
    elif found.after < found.before:
        yield sentence(say("optimize.within-chance"))
    else:
        yield sentence(say("optimize.kept"))
