"""The report on a mock interview: facts → a document, and the list of all interviews."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quizapp.deck.deck import Deck
from quizapp.domain.credit import FAILURE_COSTS, LEAST_PASSED
from quizapp.domain.days import as_date
from quizapp.domain.grading import LEAST_WORDS
from quizapp.domain.interview_theme import WRITTEN_KINDS, InterviewTheme
from quizapp.domain.log.events import Probed
from quizapp.domain.log.interview import InterviewRecord
from quizapp.domain.question import Choice, FactChoice, InputChoice, Number, prose
from quizapp.exercises.numbers import compute_answer
from quizapp.report import document, quantities
from quizapp.report.content.question_text import rubric_point
from quizapp.report.dates import date_text
from quizapp.report.document import Block, Bullets, Grid, Heading, Paragraph
from quizapp.report.first_words import first_words
from quizapp.report.folding import cut
from quizapp.report.lines import Line, Role, sentence, table
from quizapp.report.numbers import clock_time, count_between, percent
from quizapp.report.studying import ratings
from quizapp.report.verdicts.check_names import check_name
from quizapp.report.words import Words
from quizapp.study.mock.interview_report import InterviewReport, StageReport, StageState
from quizapp.study.mock.quoting import quote_correct

_SIGNS: Mapping[StageState, str] = {
    "right": "✓", "wrong": "✗", "gave-up": "✗", "stands": "–", "skipped": "–", "not-reached": "–",
}  # fmt: skip
MARK = "❯"
"""Before the name of the stage that a key shows."""
_LONGEST = 76
"""Characters of a question's first words."""
_HEAVIEST = 2
"""Points that a weakness names."""
_NAME_COLUMNS = 28
"""Of a stage's name in a table, which goes on below."""
_ENDINGS: Mapping[str, Role] = {"done": "good", "time": "note", "left": "note", "open": "note"}


def title(report: InterviewReport, say: Words) -> str:
    """Name an interview by its number and its themes."""
    named = [prose(name, say.language) for name in report.titles.values()]
    themes = " · ".join(named) or say("mock.theme-gone")
    return say("mock.report-title", number=report.number, themes=themes)


def date(report: InterviewReport, say: Words) -> str:
    """Name the day of an interview."""
    return say("date.of-year", date=date_text(report.day, say), year=as_date(report.day).year)


def place_fields(record: InterviewRecord, say: Words) -> dict[str, object]:
    """Return the number of an interview and what is next in it, for the catalogue."""
    position, least, most = record.place
    place = say("mock.place", position=position, total=count_between(least, most, say))
    if record.next_stage in record.to_tick:
        place = say("mock.place-ticks", n=len(record.to_tick))
    return {"number": record.begun.earlier + 1, "place": place}


def lines(report: InterviewReport, deck: Deck, say: Words, marked: str = "") -> Iterator[Line]:
    """Write the report as lines of text; `marked` is the id of a stage."""
    return document.lines(title(report, say), _blocks(report, deck, say, marked))


def markdown(report: InterviewReport, deck: Deck, say: Words) -> str:
    """Write the report as Markdown."""
    return document.markdown(title(report, say), _blocks(report, deck, say))


def html(report: InterviewReport, deck: Deck, say: Words) -> bytes:
    """Write the report as one file of HTML."""
    return document.html(title(report, say), _blocks(report, deck, say), say)


def list_lines(reports: Sequence[InterviewReport], say: Words) -> Iterator[Line]:
    """List interviews, the latest first."""
    if not reports:
        yield sentence(say("mock.none-yet"))
        return
    names = ("number", "date", "style", "score", "points", "time", "ending", "themes")
    rows: list[tuple[str, ...]] = [tuple(say(f"mock.column.{name}") for name in names)]
    for report in reversed(reports):
        covered, points = report.points
        rows.append(
            (
                str(report.number),
                date_text(report.day, say),
                say(f"mock.style.{report.style}"),
                percent(report.told_score),
                f"{covered}/{points}" if points else "–",
                clock_time(report.elapsed_ms),
                say(f"mock.ending.{report.ending}"),
                ", ".join(prose(name, say.language) for name in report.titles.values()),
            )
        )
    yield from table(rows, right=(0, 3, 4, 5))


def theme_lines(themes: Iterable[InterviewTheme], say: Words) -> Iterator[Line]:
    """List themes with what they are about."""
    names = ("theme", "par", "themes")
    rows: list[tuple[str, ...]] = [tuple(say(f"mock.column.{name}") for name in names)]
    for theme in themes:
        title, said = prose(theme.title, say.language), prose(theme.about, say.language)
        about = say("mock.theme-about", theme=title, about=said)
        minutes = say("minutes", n=round(theme.minutes))
        rows.append((theme.id.rpartition("/")[2], minutes, about))
    yield from table(rows, right=(1,))


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


def as_plain(report: InterviewReport) -> dict[str, Any]:
    """Return what `quiz mock --report N --json` prints; the keys are promised in docs/cli.md."""
    return {
        "number": report.number,
        "day": as_date(report.day).isoformat(),
        "style": report.style,
        "minutes": report.minutes,
        "ending": report.ending,
        "themes": list(dict.fromkeys(stage.theme for stage in report.stages)),
        "score": None if report.score is None else round(report.score, 4),
        "ticked": None if report.ticked is None else round(report.ticked, 4),
        "graded": sum(stage.is_graded for stage in report.stages),
        "not_graded": report.count("skipped"),
        "not_reached": report.count("not-reached"),
        "points_covered": report.points[0],
        "points": report.points[1],
        "probes_right": report.probes[0],
        "probes": report.probes[1],
        "elapsed_ms": report.elapsed_ms,
        "par_ms": report.par_ms,
        "hints": report.hints,
        "confident_errors": [stage.name for stage, _ in report.confident_errors],
        "to_study": list(report.to_study),
        "queued": list(report.queued),
        "skills": [
            {
                "skill": each.skill,
                "score": None if each.graded is None else round(each.graded, 4),
                "ticked": None if each.ticked is None else round(each.ticked, 4),
                "stages": [stage.name for stage in each.stages],
            }
            for each in report.skills
        ],
        "weaknesses": [
            {"stage": stage.name, "question": name} for stage, name in report.weaknesses
        ],
        "stages": [_stage_as_plain(stage) for stage in report.stages],
    }


def _stage_as_plain(stage: StageReport) -> dict[str, Any]:
    return {
        "theme": stage.theme,
        "stage": stage.name,
        "state": stage.state,
        "kind": stage.kind or None,
        "question": stage.deck_question or None,
        "score": round(stage.score, 4),
        "credit": stage.credit,
        "counted": [[round(each, 4) for each in pair] for pair in stage.counted],
        "points_covered": stage.points[0],
        "points": stage.points[1],
        "probes_right": stage.probes[0],
        "probes": stage.probes[1],
        "elapsed_ms": stage.elapsed_ms,
        "par_ms": stage.par_ms,
        "hints": stage.hints,
        "failures": stage.failures,
        "confidence": stage.confidence,
        "skill": stage.skill,
    }


def _blocks(report: InterviewReport, deck: Deck, say: Words, marked: str = "") -> Iterator[Block]:
    parts = [date(report, say), say(f"mock.style.{report.style}"), say("minutes", n=report.minutes)]
    yield Paragraph(" · ".join(parts), "dim")
    ending = "ticks" if report.ending == "open" and report.is_asked_through else report.ending
    yield Paragraph(say(f"mock.ending-said.{ending}"), _ENDINGS[report.ending])
    if report.is_asked_through:
        yield from _in_full(report, deck, say, marked)
        return
    yield _stages(report, say, marked)
    yield Paragraph(say("mock.withheld"), "dim")


def _in_full(report: InterviewReport, deck: Deck, say: Words, marked: str) -> Iterator[Block]:
    """Yield all that is told once no stage is asked any more."""
    yield Heading(say("mock.in-all"))
    yield Grid(("", "", ""), list(_totals(report, say)), right=(1,))
    if any(stage.credit is not None for stage in report.stages):
        yield Paragraph(ratings.scoring(say, asked=True), "dim")
        if report.probes[1]:
            yield Paragraph(say("mock.probes-about"), "dim")
    elif any(chance for stage in report.stages for _, chance in stage.counted):
        yield Paragraph(say("mock.score-about"), "dim")
    if report.skills:
        yield Heading(say("mock.skills"))
        yield _skills(report, say)
    yield Heading(say("mock.stages"))
    yield _stages(report, say, marked)
    if any(stage.failures and 0 < stage.score < 1 for stage in report.stages):
        costs = {"cost": percent(FAILURE_COSTS), "least": percent(LEAST_PASSED)}
        yield Paragraph(say("mock.failures-cost", **costs), "dim")
    yield from _rubric(report, say)
    if report.confident_errors:
        yield Heading(say("mock.confident-errors"))
        yield Bullets([_error(stage, probe, say) for stage, probe in report.confident_errors])
    if report.weaknesses or report.missed_probes:
        yield Heading(say("mock.weaknesses"))
        yield Paragraph(say("mock.weaknesses-about"), "dim")
        probes = [_error(*each, say) for each in report.missed_probes]
        yield Bullets([*(_weakness(*each, deck, say) for each in report.weaknesses), *probes])
    yield Heading(say("mock.to-study"))
    if not report.to_study:
        covered, points = report.points
        missed = say("mock.points-missed", n=points - covered)
        yield Paragraph(say("mock.nothing-to-study") if covered == points else missed)
        return
    known = [deck.question(name) for name in report.to_study]
    topics = [say.topic(deck.entries[name].topic_names) for name in report.to_study]
    firsts = [cut(first_words(question, say.language), _LONGEST) for question in known]
    named = zip(report.to_study, firsts, topics, strict=True)
    yield Bullets([f"{first} · {topic} · `{name}`" for name, first, topic in named])
    if report.queued:
        yield Paragraph(say("mock.queued", n=len(report.queued)), "good")


def _totals(report: InterviewReport, say: Words) -> Iterator[tuple[str, str, str]]:
    """Yield each figure, beside that of the interview before where there was one.

    The score is of the questions about kernels, too, which is said beside it, where there is room.
    """
    kernels = sum(stage.probes_worth is not None for stage in report.stages)
    more = {say("mock.score"): say("mock.and-probes", n=kernels)} if kernels else {}
    before = report.before
    earlier = {} if before is None else dict(_figures(before, say))
    for name, shown in _figures(report, say):
        beside = [more[name]] if name in more else []
        if before is not None and name in earlier:
            which = "mock.before" if before.ending == "done" else "mock.before-partly"
            beside.append(say(which, value=earlier[name], number=before.number))
        yield name, shown, " · ".join(beside)


def _figures(report: InterviewReport, say: Words) -> Iterator[tuple[str, str]]:
    graded = sum(stage.is_graded for stage in report.stages)
    yield say("mock.score"), _share(report.score, graded, say)
    if report.ticked is not None:
        judged = sum(stage.is_self_judged for stage in report.stages)
        yield say("mock.ticked"), _share(report.ticked, judged, say)
    for state in ("stands", "skipped", "not-reached"):
        if without := report.count(state):
            yield say(f"mock.without.{state}"), say("mock.stage-count", n=without)
    covered, points = report.points
    if points:
        yield say("mock.points"), say("mock.of", n=covered, total=points)
    right, asked = report.probes
    if asked:
        yield say("mock.probes"), say("mock.of", n=right, total=asked)
    time, par = clock_time(report.elapsed_ms), clock_time(report.par_ms)
    yield say("mock.time"), say("mock.of-par", time=time, par=par)
    yield say("mock.hints"), str(report.hints)
    yield say("mock.confident-errors"), str(len(report.confident_errors))


def _share(score: float | None, stages: int, say: Words) -> str:
    """Write a mean score, and of how many stages it is."""
    if score is None:
        return "–"
    return say("mock.share", share=percent(score), stages=say("mock.stage-count", n=stages))


def _skills(report: InterviewReport, say: Words) -> Grid:
    """Show each skill with its evidence, graded and self-judged apart, and the time before."""
    before = {} if report.before is None else {each.skill: each for each in report.before.skills}
    rows = []
    for each in report.skills:
        shown = " ".join(sign for stage in each.stages for sign in _evidence(stage))
        row = [say(f"mock.skill.{each.skill}"), percent(each.graded), percent(each.ticked), shown]
        earlier = before.get(each.skill)
        if before:
            row.append(percent(None if earlier is None else earlier.graded))
        rows.append(tuple(row))
    names = ["skill", "score", "ticked", "evidence", *(["before"] if before else [])]
    return Grid([say(f"mock.column.{name}") for name in names], rows, right=(1, 2, 4))


def _evidence(stage: StageReport) -> Iterator[str]:
    """Yield a sign for a stage that the program graded, and for the questions about its kernel."""
    if stage.is_graded:
        yield _SIGNS[stage.state]
    if stage.probes_worth is not None:
        yield _probes_sign(stage)


def _probes_sign(stage: StageReport) -> str:
    right, asked = stage.probes
    return _SIGNS["right" if right == asked else "wrong"]


def _error(stage: StageReport, probe: Probed | None, say: Words) -> str:
    """Name a stage, or a question about its kernel by what it asked."""
    if probe is None:
        return name_of(stage, say)
    what = say.get(f"mock.probed.{probe.rule}", say("mock.probed.other"))
    return say("mock.probed", what=what, stage=name_of(stage, say))


def _weakness(stage: StageReport, mends: str, deck: Deck, say: Words) -> str:
    """Say what was missed, and name the question that mends it."""
    topic = say.topic(deck.entries[mends].topic_names)
    return say("mock.weakness", missed=_missed(stage, say), topic=topic, question=mends)


def _missed(stage: StageReport, say: Words) -> str:
    """Say what was missed: the heaviest points of a rubric, or what is right."""
    named = name_of(stage, say)
    if stage.failed_at:
        said = say("mock.and-point").join(check_name(each, say) for each in stage.failed_at)
        late = "mock.missed-late-at" if stage.state == "right" else "mock.missed-stage-at"
        return say(late, stage=named, checks=said)
    if stage.state == "right" and stage.failures:
        return say("mock.missed-late", stage=named)
    if stage.is_lucky:
        return say("mock.missed-guess", stage=named)
    if stage.missed:
        heaviest = sorted(stage.missed, key=lambda point: -point.weight)[:_HEAVIEST]
        points = [prose(point.point, say.language).strip().rstrip(".。") for point in heaviest]
        return say("mock.missed-points", points=say("mock.and-point").join(points))
    match stage.question:
        case Number() as number:
            right = quantities.write_expected(number, compute_answer(number), say)
        case InputChoice():  # what is right is found by running
            return say("mock.missed-inputs", stage=named)
        case FactChoice() as facts:
            return _missed_facts(facts, stage, say)
        case Choice() as choice:
            right = cut(" ".join(quote_correct(choice, say.language).split()), _LONGEST)
        case _:
            return say("mock.missed-stage", stage=named)
    return say("mock.missed-answer", right=right, stage=named)


def _missed_facts(question: FactChoice, stage: StageReport, say: Words) -> str:
    """Name the facts that matter and were not asked for; else those that were, and do not matter.

    What was asked for is kept by its places.
    """
    asked = {int(word) for word in stage.response.split() if word.isdecimal()}
    amiss = [each for i, each in enumerate(question.facts) if each.matters is (i not in asked)]
    missed = [each for each in amiss if each.matters]
    shown = " ".join(prose(each.asked, say.language).strip() for each in missed or amiss)
    key = "mock.missed-facts" if missed else "mock.needless-facts"
    return say(key, facts=shown, stage=name_of(stage, say))


def _stages(report: InterviewReport, say: Words, marked: str) -> Grid:
    """Show stage by stage how it went; while more is asked not that, and nothing to come."""
    told = report.is_asked_through
    names = ("stage", "result", "score", "points", "time", "par", "hints")
    rows = []
    for stage in report.stages:
        if stage.state == "not-reached" and not told:
            continue
        state = "partly" if stage.state == "wrong" and stage.score else stage.state
        result = f"{_SIGNS[stage.state]} {say(f'mock.state.{state}')}"
        if not told and stage.state in ("right", "wrong") and stage.kind not in WRITTEN_KINDS:
            result = say("mock.noted")
        if stage.failures:
            result = say("mock.failed-before", result=result, n=stage.failures)
        if stage.credit is not None and stage.confidence is not None:
            sure = say(f"confidence.{stage.confidence}")
            result = say("mock.said-sure", result=result, sure=sure)
        name = f"{MARK} {name_of(stage, say)}" if stage.id == marked else name_of(stage, say)
        row = [name, say("mock.ticked-by-you") if stage.is_ticked else result]
        if stage.is_answered:
            covered, points = stage.points
            row += [percent(stage.worth) if told else "–", f"{covered}/{points}" if points else "–"]
            row += [clock_time(stage.elapsed_ms), clock_time(stage.par_ms), str(stage.hints)]
        else:
            row += ["–"] * 5
        rows.append(tuple(row))
        if stage.probes_worth is not None and told:
            right, asked = stage.probes
            result = f"{_probes_sign(stage)} {say('mock.of', n=right, total=asked)}"
            rows.append((say("mock.probes-row"), result, percent(stage.probes_worth), *["–"] * 4))
    head = [say(f"mock.column.{name}") for name in names]
    return Grid(head, rows, right=(2, 3, 4, 5, 6), folds=_NAME_COLUMNS)


def _rubric(report: InterviewReport, say: Words) -> Iterator[Block]:
    """Yield the rubric points of each stage that has some, missed ones first, below the answer."""
    graded = [stage for stage in report.stages if stage.covered or stage.missed]
    if graded:
        yield Heading(say("mock.rubric"))
        yield Paragraph(say("mock.rubric-about"), "dim")
    for stage in graded:
        yield Paragraph(name_of(stage, say))
        if stage.response.strip():
            first, *more = stage.response.strip().splitlines()
            yield Paragraph(say("mock.you-wrote", text=first.strip()), "dim")
            yield from (Paragraph(line.strip(), "dim") for line in more if line.strip())
        if stage.is_doubtful:
            yield Paragraph(say("mock.few-words", n=stage.points[0], least=LEAST_WORDS), "note")
        signed = [("✗", point) for point in stage.missed] + [("✓", p) for p in stage.covered]
        yield Bullets([f"{sign} {rubric_point(point, say)}" for sign, point in signed])


def name_of(stage: StageReport, say: Words, most: int = _LONGEST) -> str:
    """Name a stage by the first words of its question; by its own name if that has changed."""
    if stage.question is None:
        return stage.name.replace("-", " ")
    return cut(first_words(stage.question, say.language), most)
