"""The report on a mock interview: facts → a document, and the list of all interviews."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quizapp.deck.deck import Deck
from quizapp.domain.credit import FAILURE_COSTS, LEAST_PASSED
from quizapp.domain.days import as_date
from quizapp.domain.grading import LEAST_WORDS
from quizapp.domain.interview_theme import InterviewTheme
from quizapp.domain.log.interview import InterviewRecord, was_confident_error
from quizapp.domain.question import Choice, FactChoice, InputChoice, Number, Prose, prose
from quizapp.domain.rating import Confidence
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
from quizapp.study.mock.interview_report import InterviewReport, StageReport, ToldState
from quizapp.study.mock.quoting import quote_correct

_SIGNS: Mapping[ToldState, str] = {
    "right": "✓", "wrong": "✗", "gave-up": "✗", "stands": "–", "skipped": "–", "not-reached": "–",
}  # fmt: skip
_BASICS = "fundamentals"
"""The pack to begin with."""
MARK = "❯"
"""Before the name of the stage that a key shows."""
_LONGEST, _SHORTER = 76, 46
"""Columns of a question's first words; fewer with more in the line."""
_HEAVIEST = 2
"""Points that a weakness names."""
_NAME_COLUMNS = 26
"""Of a stage's name in a table, which goes on below."""
_ENDINGS: Mapping[str, Role] = {"done": "good", "time": "note", "left": "note", "open": "note"}


def title(report: InterviewReport, say: Words) -> str:
    """Name an interview by its number and its themes."""
    return say("mock.report-title", number=report.number, themes=themes(report, say))


def themes(report: InterviewReport, say: Words) -> str:
    """Name the themes of an interview."""
    named = [prose(name, say.language) for name in report.titles.values()]
    return " · ".join(named) or say("mock.theme-gone")


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
                themes(report, say),
            )
        )
    yield from table(rows, right=(0, 3, 4, 5))


def theme_lines(listed: Iterable[InterviewTheme], say: Words) -> Iterator[Line]:
    """List themes with what they are about."""
    names = ("theme", "par", "themes")
    rows: list[tuple[str, ...]] = [tuple(say(f"mock.column.{name}") for name in names)]
    for theme in listed:
        title, said = prose(theme.title, say.language), prose(theme.about, say.language)
        about = say("mock.theme-about", theme=title, about=said)
        minutes = say("minutes", n=round(theme.minutes))
        rows.append((theme.id.rpartition("/")[2], minutes, about))
    yield from table(rows, right=(1,))


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
    """Yield all that is told once no stage is asked any more: first what to do, then why."""
    yield Heading(say("mock.in-all"))
    yield Grid(("", "", ""), list(_totals(report, say)), right=(1,))
    if report.is_early:
        yield from _where_to_begin(report, deck, say)
    yield from _work_on(report, deck, say, marked)
    yield from _rubric(report, say)
    yield Heading(say("mock.stages"))
    yield _stages(report, say, marked)
    yield from (Paragraph(said, "dim") for said in _scoring(report, say))
    if report.skills:
        yield Heading(say("mock.skills"))
        yield _skills(report, say)


def _where_to_begin(report: InterviewReport, deck: Deck, say: Words) -> Iterator[Block]:
    """Say where a person begins who mostly guessed."""
    yield Heading(say("mock.begin"))
    yield Paragraph(say("mock.begin-about"))
    basics = [say("mock.begin-basics", pack=_BASICS)] if _BASICS in deck.packs else []
    asked = {stage.theme.rpartition("/")[2] for stage in report.stages}
    again = [say("mock.begin-again", theme=theme) for theme in sorted(asked)]
    yield Bullets([*basics, say("mock.begin-place"), say("mock.begin-plan"), *again[:1]])


def _work_on(report: InterviewReport, deck: Deck, say: Words, marked: str) -> Iterator[Block]:
    """Yield what cost most: stages with a question that mends each, and questions on kernels.

    Then what else there is to study.
    """
    found = [
        (stage.cost, _mark(_weakness(report, stage, mends, deck, say), stage, marked))
        for stage, mends in report.weaknesses
    ]
    found += [
        ((False, stage.probes_worth or 0.0), _missed_probes(report, stage, say))
        for stage in report.stages
        if stage.missed_probes
    ]
    yield Heading(say("mock.weaknesses"))
    if found:
        yield Paragraph(say("mock.weaknesses-about", number=report.number), "dim")
        yield Bullets([said for _, said in sorted(found, key=lambda each: each[0])])
    if report.study_next:
        yield Paragraph(say("mock.study-next"), "dim")
        yield Bullets([_study(name, deck, say) for name in report.study_next])
    elif not found:
        covered, points = report.points
        missed = say("mock.points-missed", n=points - covered)
        yield Paragraph(say("mock.nothing-to-study") if covered == points else missed)
    if report.queued:
        yield Paragraph(say("mock.queued", n=len(report.queued)), "good")


def _study(name: str, deck: Deck, say: Words) -> str:
    """Name a question by its first words and its topic, and below them what opens it."""
    title = cut(first_words(deck.question(name), say.language), _SHORTER)
    topic = say.topic(deck.entries[name].topic_names)
    return f"{title} · {topic}\n{say('mock.study-by', question=name)}"


def _scoring(report: InterviewReport, say: Words) -> Iterator[str]:
    """Yield how the scores come about."""
    if any(stage.credit is not None for stage in report.stages):
        yield ratings.scoring(say, asked=True)
        if report.probes[1]:
            yield say("mock.probes-about")
    elif any(chance for stage in report.stages for _, chance in stage.counted):
        yield say("mock.score-about")
    if any(stage.failures and 0 < stage.score < 1 for stage in report.stages):
        yield say("mock.failures-cost", cost=percent(FAILURE_COSTS), least=percent(LEAST_PASSED))
    if any(stage.failures and stage.hints for stage in report.stages):
        yield ratings.both_cost(say)


def _totals(report: InterviewReport, say: Words) -> Iterator[tuple[str, str, str]]:
    """Yield each figure; beside it what it is of, and that of the interview before, if any."""
    before = report.before
    earlier = {} if before is None else {name: shown for name, shown, _ in _figures(before, say)}
    for name, shown, of in _figures(report, say):
        beside = [of] if of else []
        if before is not None and name in earlier:
            which = "mock.before" if before.ending == "done" else "mock.before-partly"
            beside.append(say(which, value=earlier[name], number=before.number))
        yield name, shown, " · ".join(beside)


def _figures(report: InterviewReport, say: Words) -> Iterator[tuple[str, str, str]]:
    """Yield the name of each figure, the figure, and what it is of, if it does not say so."""
    graded = sum(stage.is_graded for stage in report.stages)
    of = [_of_stages(graded, say)] if graded else []
    if kernels := sum(stage.probes_worth is not None for stage in report.stages):
        of.append(say("mock.and-probes", n=kernels))
    yield say("mock.score"), percent(report.score), " · ".join(of)
    if report.ticked is not None:
        judged = sum(stage.is_self_judged for stage in report.stages)
        yield say("mock.ticked"), percent(report.ticked), _of_stages(judged, say)
    yield from ((name, shown, "") for name, shown in _whole_figures(report, say))


def _whole_figures(report: InterviewReport, say: Words) -> Iterator[tuple[str, str]]:
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


def _of_stages(n: int, say: Words) -> str:
    return say("mock.of-stages", stages=say("mock.stage-count", n=n))


def _skills(report: InterviewReport, say: Words) -> Grid:
    """Show each skill with its evidence, graded and self-judged apart, and the time before."""
    before = {} if report.before is None else {each.skill: each for each in report.before.skills}
    rows = []
    for each in report.skills:
        shown = " ".join(sign for stage in each.stages for sign in _evidence(stage, say))
        row = [say(f"mock.skill.{each.skill}"), percent(each.graded), percent(each.ticked), shown]
        earlier = before.get(each.skill)
        if before:
            row.append(percent(None if earlier is None else earlier.graded))
        rows.append(tuple(row))
    names = ["skill", "score", "ticked", "evidence", *(["before"] if before else [])]
    return Grid([say(f"mock.column.{name}") for name in names], rows, right=(1, 2, 4))


def _evidence(stage: StageReport, say: Words) -> Iterator[str]:
    """Yield a sign for a stage that the program graded, and for the questions about its kernel."""
    if stage.is_graded:
        yield _sign(stage, stage.state)
    if stage.probes_worth is not None:
        yield _probes_result(stage, say)[0]


def _sign(stage: StageReport, told: ToldState) -> str:
    """Return the sign of how a stage went, as it is told: a guess that was right counts nothing."""
    sign = _SIGNS[told]
    return f"({sign})" if stage.is_lucky and told == "right" else sign


def _weakness(
    report: InterviewReport, stage: StageReport, mends: str, deck: Deck, say: Words
) -> str:
    """Name a stage and how it went, what was missed, and the question that mends it."""
    named, result = _numbered(report, stage, say, _SHORTER), _result(report, stage, say)
    head = say("mock.weakness", stage=named, result=result, share=percent(stage.worth))
    study = say("mock.study", question=_study(mends, deck, say))
    return "\n".join((head, _missed(stage, say), study))


def _missed_probes(report: InterviewReport, stage: StageReport, say: Words) -> str:
    """Name what was asked about a kernel and answered wrong, and where though certain."""
    said = []
    for probe in stage.missed_probes:
        what = say.get(f"mock.probed.{probe.rule}", say("mock.probed.other"))
        sure = was_confident_error(probe)
        said.append(_and_sure(what, Confidence.CERTAIN, say) if sure else what)
    about = say("mock.probed", stage=_numbered(report, stage, say, _SHORTER))
    share = percent(stage.probes_worth)
    head = say("mock.weakness", stage=about, result=_probes_result(stage, say), share=share)
    return "\n".join((head, say("mock.probed-missed", what=say("mock.and-point").join(said))))


def _missed(stage: StageReport, say: Words) -> str:
    """Say what was missed: the heaviest points of a rubric, or what is right."""
    if stage.failed_at:
        said = say("mock.and-point").join(check_name(each, say) for each in stage.failed_at)
        late = "mock.missed-late-at" if stage.state == "right" else "mock.missed-stage-at"
        return say(late, checks=said)
    if stage.state == "right" and stage.failures:
        return say("mock.missed-late")
    if stage.is_lucky:
        return say("mock.missed-guess")
    if stage.missed:
        heaviest = sorted(stage.missed, key=lambda point: -point.weight)[:_HEAVIEST]
        points = [prose(point.point, say.language).strip().rstrip(".。") for point in heaviest]
        return say("mock.missed-points", points=say("mock.and-point").join(points))
    match stage.question:
        case Number() as number:
            right = quantities.write_expected(number, compute_answer(number), say)
        case InputChoice():  # what is right is found by running
            return say("mock.missed-inputs")
        case FactChoice() as facts:
            return _missed_facts(facts, stage, say)
        case Choice(several=True) as choice if stage.response.strip():
            return _missed_options(choice, stage, say)
        case Choice() as choice:
            right = cut(" ".join(quote_correct(choice, say.language).split()), _LONGEST)
        case _:
            return say("mock.missed-stage")
    return say("mock.missed-answer", right=right)


def _missed_facts(question: FactChoice, stage: StageReport, say: Words) -> str:
    """Name the facts that matter and were not asked for; else those that do not, and were."""
    rows = [(each.asked, each.matters) for each in question.facts]
    missed, needless = _find_amiss(rows, stage, say)
    key = "mock.missed-facts" if missed else "mock.needless-facts"
    return say(key, rows=" ".join(missed or needless))


def _missed_options(question: Choice, stage: StageReport, say: Words) -> str:
    """Name the right options that were not chosen; else those that were, and are wrong."""
    rows = [(each.text, each.correct) for each in question.options]
    missed, needless = _find_amiss(rows, stage, say)
    key = "mock.missed-options" if missed else "mock.needless-options"
    return say(key, rows=say("mock.and-point").join(missed or needless))


def _find_amiss(
    rows: Iterable[tuple[Prose, bool]], stage: StageReport, say: Words
) -> tuple[list[str], list[str]]:
    """Return the rows that are right and were not picked, and those that were, and are wrong.

    `rows`: each with whether it is right. What was picked is kept by its places.
    """
    picked = {int(word) for word in stage.response.split() if word.isdecimal()}
    amiss = [(text, right) for i, (text, right) in enumerate(rows) if right is (i not in picked)]
    shown = [(prose(text, say.language).strip(), right) for text, right in amiss]
    return [text for text, right in shown if right], [text for text, right in shown if not right]


def _result(report: InterviewReport, stage: StageReport, say: Words) -> str:
    """Write what is told of how a stage went, and how sure the person was."""
    told = report.told_state(stage)
    if told == "noted":
        result = say("mock.noted")
    elif stage.is_ticked:
        covered, points = stage.points
        result = say("mock.ticked-by-you", n=covered, total=points)
    else:
        state = "partly" if told == "wrong" and stage.score else told
        result = f"{_sign(stage, told)} {say(f'mock.state.{state}')}"
    if stage.failures:
        result = say("mock.failed-before", result=result, n=stage.failures)
    if stage.credit is not None and stage.confidence is not None:
        return _and_sure(result, stage.confidence, say)
    return result


def _and_sure(result: str, confidence: int, say: Words) -> str:
    return say("mock.said-sure", result=result, sure=say(f"confidence.{confidence}"))


def _probes_result(stage: StageReport, say: Words) -> str:
    """Write how many questions about a kernel were right."""
    right, asked = stage.probes
    sign = _SIGNS["right" if right == asked else "wrong"]
    return f"{sign} {say('mock.of', n=right, total=asked)}"


def _stages(report: InterviewReport, say: Words, marked: str) -> Grid:
    """Show stage by stage how it went; while more is asked not that, and nothing to come."""
    told = report.is_asked_through
    names = ("stage", "result", "score", "time", "par", *(["hints"] if report.hints else []))
    rows = []
    for stage in report.told_stages:
        name = _mark(_numbered(report, stage, say), stage, marked)
        row = [name, _result(report, stage, say)]
        if stage.is_answered:
            row += [percent(stage.worth) if told else "–", clock_time(stage.elapsed_ms)]
            row += [clock_time(stage.par_ms), str(stage.hints)]
        rows.append(row)
        if stage.probes_worth is not None and told:
            row = [say("mock.probes-row"), _probes_result(stage, say), percent(stage.probes_worth)]
            rows.append(row)
    head = [say(f"mock.column.{name}") for name in names]
    filled = [(*row, *["–"] * len(head))[: len(head)] for row in rows]
    return Grid(head, filled, right=(2, 3, 4, 5), folds=_NAME_COLUMNS)


def _rubric(report: InterviewReport, say: Words) -> Iterator[Block]:
    """Yield the rubric points of each stage that has some, missed ones first, below the answer."""
    graded = [stage for stage in report.stages if stage.covered or stage.missed]
    if graded:
        yield Heading(say("mock.rubric"))
        yield Paragraph(say("mock.rubric-about"), "dim")
    for stage in graded:
        yield Paragraph(_numbered(report, stage, say))
        if stage.response.strip():
            first, *more = stage.response.strip().splitlines()
            yield Paragraph(say("mock.you-wrote", text=first.strip()), "dim")
            yield from (Paragraph(line.strip(), "dim") for line in more if line.strip())
        if stage.is_doubtful:
            yield Paragraph(say("mock.few-words", n=stage.points[0], least=LEAST_WORDS), "note")
        signed = [("✗", point) for point in stage.missed] + [("✓", p) for p in stage.covered]
        yield Bullets([f"{sign} {rubric_point(point, say)}" for sign, point in signed])


def _mark(text: str, stage: StageReport, marked: str) -> str:
    return f"{MARK} {text}" if stage.id == marked else text


def _numbered(report: InterviewReport, stage: StageReport, say: Words, most: int = _LONGEST) -> str:
    named = name_of(stage, say, most)
    return say("mock.numbered", number=report.number_of(stage), name=named)


def name_of(stage: StageReport, say: Words, most: int = _LONGEST) -> str:
    """Name a stage by the first words of its question; by its own name if that has changed."""
    if stage.question is None:
        return stage.name.replace("-", " ")
    return cut(first_words(stage.question, say.language), most)
