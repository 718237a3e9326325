"""What the emulator refuses in a script, as a sentence below the script's traceback."""

from __future__ import annotations

from grader import scripts, simt
from quizapp.domain.question import Language
from quizapp.report.words import Words


def preparation(language: Language) -> str:
    """Return a line of Python that has the script's process explain its errors."""
    return f"from quizapp.report import refusals; refusals.install({language!r})"


def install(language: Language) -> None:
    """Explain, in a language, the errors that end the script of this process."""
    scripts.EXPLAIN.append(lambda error: explain(error, Words(language)))


def explain(error: BaseException, say: Words) -> str:
    """Say what the emulator refused and what to write instead; "" for any other error."""
    if not isinstance(error, simt.Refused | simt.InvalidLaunch):
        return ""
    advice = say.hint(error.what, error.instead)
    return f"{say.fact(error.what)}; {advice}" if advice else say.fact(error.what)
