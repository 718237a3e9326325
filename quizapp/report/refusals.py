"""What the emulator refuses in a script: a sentence ends the script's traceback, advice follows."""

from __future__ import annotations

from grader import scripts
from grader.facts import SPEAKERS, Fact
from grader.profiles import RefusedFeature
from quizapp.domain.question import Language
from quizapp.report.file_names import below_here
from quizapp.report.words import Words
from quizapp.system.safe_text import safe


def preparation(language: Language) -> str:
    """Return a line of Python that has errors of the script's process be sentences."""
    return f"from quizapp.report import refusals; refusals.install({language!r})"


def install(language: Language) -> None:
    """Have facts in this process be sentences of a language, with advice where one ends it."""
    say = Words(language)
    SPEAKERS.append(say.fact)
    scripts.ADVISE.append(lambda error: advise(error, say))


def mistake(refused: RefusedFeature, say: Words) -> str:
    """Say in one line what the emulator refused, and where, as compilers do."""
    said = say.in_line(refused.what, refused.hint)
    return f"{safe(str(below_here(refused.file)))}:{refused.line}:{refused.column}: {said}"


def advise(error: BaseException, say: Words) -> str:
    """Say what to write instead of what was refused; "" for any other error."""
    what = error.args[0] if error.args else None
    return say.hint(what, getattr(error, "instead", None)) if isinstance(what, Fact) else ""
