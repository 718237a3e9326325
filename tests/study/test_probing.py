"""Questions about a kernel that passed: asked, kept as events, and counted in an interview."""

from __future__ import annotations

from io import StringIO

import pytest

from grader.probes import RULES
from quizapp.domain.log.events import Probed
from quizapp.domain.question import Kernel, Number
from quizapp.domain.rating import Confidence
from quizapp.plain.interview import run
from quizapp.report.content.probes import choose
from quizapp.report.numbers import percent
from quizapp.report.studying import interview as interview_text
from quizapp.report.studying import interview_json, two_interviews
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from quizapp.study.mock import interviews, shared_interview
from quizapp.study.mock.interview_report import report
from quizapp.study.mock.probing import MOST_IN_MOCK, Probe, ProbedStage, Probing, can_probe
from quizapp.study.mock.walkthrough import Walkthrough
from quizapp.study.service import Study
from quizapp.study.values import Turn
from tests.examining import EXAMINER
from tests.study.test_interview import answer as answer_stage
from tests.study.test_interview import begin, themes_of
from tests.study.tools import right, wrong

KERNEL = "shared-memory/kernel-saxpy"


@pytest.fixture(scope="module")
def made():
    """What the shipped solution is asked about; made once."""
    found: dict[str, list[Probe]] = {}

    def make(turn: Turn) -> list[Probe]:
        assert isinstance(turn.question, Kernel)
        if turn.entry.id not in found:
            checked = EXAMINER.check(turn.question, turn.question.solution or "")
            assert can_probe(turn, checked)
            found[turn.entry.id] = choose(EXAMINER.probe(checked), turn.entry.id, 3)
        return found[turn.entry.id]

    return make


def kernel_turn(study: Study, name: str = KERNEL) -> Turn:
    study.session.begin(Filter(questions=(name,), practice=True))
    turn = study.session.next()
    assert turn is not None
    return turn


def answer(probing: Probing, *, correct: bool = True, **more) -> Turn:
    turn = probing.next()
    assert turn is not None
    given = (right if correct else wrong)(turn, elapsed_ms=30_000, **more)
    probing.commit(probing.grade(turn, given))
    return turn


def kept(study: Study) -> list[Probed]:
    return [entry.body for entry in study.store.mock_events() if isinstance(entry.body, Probed)]


def test_answers_are_kept_and_move_no_schedule(person, made):
    someone = person()
    study = someone.open()
    turn = kernel_turn(study)
    probes = made(turn)
    assert len(probes) == 3
    before = dict(study.progress.cards)
    probing = Probing(study, turn, probes)
    asked = [answer(probing, correct=place != 1) for place in range(3)]
    assert probing.next() is None
    assert dict(study.progress.cards) == before
    again = someone.reopen()
    stored = kept(again)
    assert [body.probe for body in stored] == [each.entry.id for each in asked]
    assert [body.correct for body in stored] == [True, False, True]
    assert {body.question for body in stored} == {KERNEL}
    assert {body.interview for body in stored} == {""}


def test_an_answer_can_be_taken_back(person, made):
    study = person().open()
    turn = kernel_turn(study)
    probing = Probing(study, turn, made(turn))
    first = answer(probing)
    assert probing.take_back()
    asked = probing.next()
    assert asked is not None
    assert asked.entry.id == first.entry.id
    assert not Probing(study, turn, made(turn)).take_back()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_interview_counts_them(person, made, language, tmp_path):
    study = person().open()
    interview = begin(study, style="onsite")
    while True:
        turn = interview.next()
        assert turn is not None
        if isinstance(turn.question, Kernel):
            break
        answer_stage(interview)
    answer_stage(interview)
    probing = Probing(study, turn, made(turn), ProbedStage(interview.record.id, turn.item.question))
    answer(probing)
    answer(probing, correct=False, confidence=Confidence.CERTAIN)
    themes = themes_of(study)
    interview.next()
    interviews.end(study, interview.record)
    found = report(study, themes, interviews.find_id(study, interview.record.id))
    assert found.probes == (1, 2)
    assert found.elapsed_ms >= 60_000
    say = Words(language)
    shown = "\n".join(
        "".join(text for text, _ in line) for line in interview_text.lines(found, study.deck, say)
    )
    assert say("mock.probes") in shown
    graded = sum(stage.is_graded for stage in found.stages)
    of = say("mock.of-stages", stages=say("mock.stage-count", n=graded))
    probed = next(stage for stage in found.stages if stage.probes_worth is not None)
    counted = [each.worth for each in found.stages if each.is_graded] + [probed.probes_worth]
    assert found.score == pytest.approx(max(0, sum(counted) / len(counted))), "as the rows tell"
    markdown = interview_text.markdown(found, study.deck, say)
    assert f"| {percent(found.score)} | {of} · {say('mock.and-probes', n=1)} |" in markdown
    row = (say("mock.probes-row"), f"✗ {say('mock.of', n=1, total=2)}", percent(counted[-1]))
    assert f"| {' | '.join(row)} |" in markdown
    assert "| ✓ ✗ |" in markdown, "evidence of a skill: its kernel, and what was asked about it"
    missed = kept(study)[1]
    assert [each for _, each in found.confident_errors] == [missed]
    told = {"result": say(f"mock.probed.{missed.rule}"), "sure": say("confidence.3")}
    assert say("mock.probed-missed", what=say("mock.said-sure", **told)) in shown
    going = Walkthrough(study, themes, interviews.find_id(study, interview.record.id))
    wrong_one = [place for place in going.places if place.probe is not None][1]
    again = going.probe_at(wrong_one, made(turn))
    assert again is not None
    assert (again.position, again.part) == (found.number_of(probed), (2, 2))
    assert again.answered is not None
    assert again.answered.confidence is Confidence.CERTAIN
    assert again.answered.shows_answer
    assert again.entry.id == missed.probe
    plain = interview_json.report_as_plain(found)
    file = tmp_path / "ann.json"
    file.write_bytes(shared_interview.encode(interview.record, plain))
    both = two_interviews.lines(found, shared_interview.read(file), say)
    [told] = [line for line in both if say("mock.probes-row") in line[0][0]]
    assert "".join(part for part, _ in told).count(percent(counted[-1])) == 2


@pytest.mark.parametrize(
    ("rule", "failed", "asked"),
    [
        ("planted", False, False),  # a look at one's own code
        ("predict", False, False),  # arithmetic, where the task states the rule
        ("element", False, False),  # the same
        ("pitch", True, True),
        ("cost", False, True),
        ("cost", True, False),  # any feedback has the counters
    ],
)
def test_an_interview_asks_what_takes_a_rule_of_the_hardware_and_was_not_told(rule, failed, asked):
    about = {"id": "a", "topic": "t", "concept": "c", "difficulty": 1, "prompt": "?"}
    question = Number(**about, explanation="!", sources=("s",), answer=1)
    assert ProbedStage("i", "s", failed).asks(Probe(rule, question)) is asked


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_rule_of_a_question_about_a_kernel_has_words(language):
    assert [rule for rule in RULES if not Words(language).knows(f"mock.probed.{rule}")] == []


def test_plain_mode_asks_about_a_kernel_that_passes_in_an_interview(person):
    study = person(confidence=False).open()
    study.session.examiner = EXAMINER
    interview = begin(study, style="onsite")
    typed: list[str] = []

    class Input:
        def readline(self) -> str:
            if not typed:
                turn = interview.next()
                solution = isinstance(turn and turn.question, Kernel) and turn is not None
                code = turn.question.solution.splitlines() if solution else []
                typed.extend([*code, "."] if code and not kept(study) else [":g", ""])
            return typed.pop(0) + "\n"

    said = StringIO()
    run(study, themes_of(study), interview, Input(), said)  # type: ignore[arg-type]
    probed = kept(study)
    assert 1 <= len(probed) <= MOST_IN_MOCK
    assert {body.interview for body in probed} == {interview.record.id}
    assert all(isinstance(interview.record.answers[body.stage].kind, str) for body in probed)
    assert "Questions on your kernel" in said.getvalue()
