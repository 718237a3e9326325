"""The verdict on a submission of an exercise: as lines, and as plain data.

The keys of the plain data are promised in docs/cli.md. Grades nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from grader import layouts, wire
from quizapp.domain import question as questions
from quizapp.report import numbered_code
from quizapp.report.json_values import finite
from quizapp.report.lines import Line, Role, sentence
from quizapp.report.verdicts import (
    kernel_verdict,
    kernel_views,
    known_mistakes,
    layout_verdict,
    spot_verdict,
)
from quizapp.study import values
from quizapp.system.gpu import NotMeasured

if TYPE_CHECKING:
    from quizapp.domain.question import Language, Spot
    from quizapp.exercises.kernels import CheckedKernel, Compilation
    from quizapp.exercises.layouts import CheckedLayout
    from quizapp.exercises.spots import SpotAnswer
    from quizapp.report.words import Words

Plain = dict[str, Any]
RenderMarkdown = Callable[[str], Sequence[str]]
"""Renders Markdown as lines of text."""


def layout_lines(
    checked: CheckedLayout,
    say: Words,
    columns: int,
    render: RenderMarkdown,
    *,
    search: bool,
    with_maps: bool = True,
) -> Iterator[Line]:
    """Show the verdict on a layout, its figures and its bank maps.

    `render`: renders why a known mistake is one. `search`: also show the best of the common
    layouts.
    """
    if checked.passed:
        yield (("✓ ", "good"), (say("layout.passed"), "text"))
        yield ()
    yield from layout_verdict.failure(checked, say)
    yield from _explain_failure(checked, known_mistakes.explain(checked, say), say, render)
    if checked.grade.accesses and not checked.passed:
        yield ()
    yield from layout_verdict.figures(checked, say)
    if with_maps:
        if checked.grade.accesses:
            yield ()
        yield from layout_verdict.maps(checked, say, columns)
    if search:
        yield from layout_verdict.best(checked, say)


def kernel_lines(
    checked: CheckedKernel,
    say: Words,
    columns: int,
    render: RenderMarkdown,
    *,
    without: Collection[str] = (),
) -> Iterator[Line]:
    """Show the verdict on a kernel, and what was counted and found.

    `render`: renders why a known mistake is one. `without`: views to leave out.
    """
    yield from kernel_verdict.verdict(checked, say)
    yield from _explain_failure(checked, known_mistakes.explain(checked, say), say, render)
    for view in kernel_views.views(checked, (), solved=False):
        if view in without:
            continue
        yield ()
        yield from kernel_views.view(view, checked, (), say, columns)


def spot_question_lines(spot: Spot, say: Words, render: RenderMarkdown) -> Iterator[Line]:
    """Show what is asked, the code, and how it is launched."""
    yield from map(_unfolded_line, render(questions.prose(spot.prompt, say.language)))
    yield ()
    yield from numbered_code.lines(spot.code)
    yield ()
    yield sentence(numbered_code.launch(spot, say))


def spot_lines(
    spot: Spot, answer: SpotAnswer, named: tuple[int, str], say: Words
) -> Iterator[Line]:
    """Show whether the line and the kind that a person named are right, and what is."""
    is_right = answer.score(*named) == 1
    role: Role = "good" if is_right else "conflict"
    yield sentence(say("grade.right" if is_right else "grade.not-this"), role)
    yield ()
    yield from spot_verdict.lines(answer, named, say)
    yield ()
    yield from numbered_code.lines(spot.code, right=answer.lines)


def layout_as_plain(
    question: str, checked: CheckedLayout, language: Language, *, search: bool
) -> Plain:
    """Return the verdict on a layout; `language` is that of the explanation of a mistake."""
    grade = checked.grade
    plain = {
        "question": question,
        "passed": checked.passed,
        "ran": checked.ran,
        "language": grade.language or None,
        "gates": wire.to_plain(grade.verdict.gates),
        "accesses": [
            {
                "name": report.name, "op": report.kind, "width": report.width,
                "wavefronts": report.wavefronts, "ideal": report.ideal, "allowed": report.allowed,
                "warp": report.warp, "warps": report.warps, "total": report.total,
            }
            for report in grade.accesses
        ],
        "extra_elements": grade.extra_elements,
        "extra_bytes": grade.extra_bytes,
        "mistake": _why(checked, language),
    }  # fmt: skip
    return plain | ({"best": _best(checked)} if search else {})


def kernel_as_plain(question: str, checked: CheckedKernel, language: Language) -> Plain:
    """Return the verdict on a kernel; `language` is that of the explanation of a mistake."""
    graded = wire.to_plain(checked.graded)
    for inside in ("source", "accesses", "arrays"):
        del graded[inside]
    worst = checked.graded.worst
    first = {"question": question, "passed": checked.passed, "ran": checked.ran}
    first["gates"] = graded.pop("verdict")["gates"]
    for run in graded["runs"]:
        run["error"] = finite(run["error"])
        run["lines"] = [{"line": line, **counts} for line, counts in run.pop("counts").items()]
    return {
        **first,
        **graded,
        "worst": None if worst is None else wire.to_plain(worst),
        "mistake": _why(checked, language),
        "gpu": _gpu_as_plain(checked),
        "compiled": _compiled_as_plain(checked.compiled),
    }


def spot_as_plain(question: str, answer: SpotAnswer, named: tuple[int, str]) -> Plain:
    """Return whether the line and the kind that a person named are right, and what is."""
    line, fault = named
    score = answer.score(line, fault)
    return {
        "question": question,
        "passed": score > 0,
        "score": score,
        "line": line,
        "fault": fault,
        "places": [{"line": line, "fault": fault} for line, fault in sorted(answer.places)],
        "causes": [{"line": line, "fault": fault} for line, fault in sorted(answer.causes)],
        "costs": wire.to_plain(answer.costs),
        "findings": wire.to_plain(answer.findings),
    }


def _explain_failure(
    checked: CheckedLayout | CheckedKernel, why: str, say: Words, render: RenderMarkdown
) -> Iterator[Line]:
    """Say that an attempt does not count, and why a known mistake is one."""
    if not checked.ran and not checked.passed:
        yield sentence(say(values.why_not_counted(checked)))
    if why:
        yield ()
        yield from map(_unfolded_line, render(why))


def _unfolded_line(text: str) -> Line:
    """Return a line that is not folded again."""
    return ((text, "text"), ("", "text"))


def _why(checked: CheckedLayout | CheckedKernel, language: Language) -> str | None:
    return None if checked.mistake is None else questions.prose(checked.mistake.why, language)


def _best(checked: CheckedLayout) -> Plain | None:
    """Return the best of the common layouts."""
    best = layouts.search(checked.exercise).best
    if best is None:
        return None
    return {
        "family": best.layout.family,
        "name": best.layout.name,
        "expression": best.layout.expression,
        "wavefronts": list(best.wavefronts),
        "extra_elements": best.extra_elements,
        "passes": best.passes,
    }


def _compiled_as_plain(compiled: Compilation | None) -> Plain | None:
    if compiled is None:
        return None
    return {
        **wire.to_plain(compiled.found),
        "threads": compiled.threads,
        "reasons": wire.to_plain(compiled.reasons),
    }


def _gpu_as_plain(checked: CheckedKernel) -> Plain | None:
    """Return what a GPU reported, or why there is no report."""
    if checked.gpu is None:
        return None
    if isinstance(checked.gpu, NotMeasured):
        why, todo = (wire.to_plain(part) for part in (checked.gpu.what, checked.gpu.todo))
        return {"standing": "not measured", "why": why, "todo": todo or None}
    plain = wire.to_plain(checked.gpu)
    del plain["source"]
    standing, gates = plain.pop("standing"), plain.pop("verdict")["gates"]
    errors = {name: finite(plain[name]) for name in ("error", "allowed")}
    return {
        "standing": standing,
        "gates": gates,
        **plain,
        **errors,
        "costs": wire.to_plain(checked.costs),
    }
