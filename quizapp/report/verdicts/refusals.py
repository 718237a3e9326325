"""What the emulator refuses in a script: a sentence ends the script's traceback, advice follows.

Also how a program ended that did not end well.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader import scripts
from grader.facts import SPEAKERS, Fact, fact
from grader.mistakes import Mistake
from quizapp.domain.errors import OK
from quizapp.domain.question import Language
from quizapp.report.file_names import below_here
from quizapp.report.verdicts.excerpt import excerpt_of_file
from quizapp.report.words import Words
from quizapp.study import profiling
from quizapp.system import logs
from quizapp.system.paths import find_paths
from quizapp.system.safe_text import safe

if TYPE_CHECKING:
    from grader.profiles import RefusedFeature
    from quizapp.study.profiling import ScriptRun


def preparation(language: Language) -> str:
    """Return a line of Python that has errors of the script's process be sentences."""
    return f"from quizapp.report.verdicts import refusals; refusals.install({language!r})"


def install(language: Language) -> None:
    """Have facts in this process be sentences of a language, with advice where one ends it."""
    say = Words(language)
    SPEAKERS.append(say.fact)
    scripts.ADVISE.append(lambda error: advise(error, say))
    scripts.LOGS.append(lambda error: logs.failure_in(find_paths().log, error))


def mistake(refused: RefusedFeature, say: Words) -> str:
    """Say what the emulator refused in a source, and show where, as compilers do."""
    hint = refused.hint
    if refused.what.code == "cpp.include-not-found":  # a submission has no folders
        hint = fact("profile.name-include")
    said = say.in_line(refused.what, hint)
    place = f"{safe(str(below_here(refused.file)))}:{refused.line}:{refused.column}"
    return "\n".join(filter(None, (f"{place}: {said}", _excerpt(refused))))


def describe_end(run: ScriptRun, script: Path, say: Words) -> str:
    """Say how a program ended; "" if as it should."""
    if run.status < 0:
        key = "profile.signal" if run.has_report else "profile.killed"
        return say(key, script=script, signal=-run.status)
    if run.status == OK and not run.has_report:
        return say("profile.no-report", script=script)
    if run.refused is not None and profiling.is_source(script):
        return mistake(run.refused, say)
    return say("profile.failed", script=script, status=run.status) if run.status != OK else ""


def _excerpt(refused: RefusedFeature | Mistake) -> str:
    return excerpt_of_file(refused.file, refused.line, refused.column)


def advise(error: BaseException, say: Words) -> str:
    """Show what was refused, and say what to write instead; "" for any other error."""
    what = error.args[0] if error.args else None
    hint = say.hint(what, getattr(error, "instead", None)) if isinstance(what, Fact) else ""
    shown = _excerpt(error) if isinstance(error, Mistake) else ""
    return "\n".join(filter(None, (shown, hint)))
