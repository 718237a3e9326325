"""The deck that is shipped: how much of what, in both languages, on the smallest screen."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from grader.compute import compute
from quizapp.deck import yaml_reader
from quizapp.deck.deck import Deck
from quizapp.deck.ordering import default_order
from quizapp.deck.packs import Pack
from quizapp.deck.rules import CODE_COLUMNS
from quizapp.domain.languages import languages_of, put_in
from quizapp.domain.question import (
    KINDS,
    LANGUAGES,
    AnyQuestion,
    Choice,
    CudaSpot,
    Index,
    Kernel,
    Number,
    Recall,
    Spot,
    Trace,
    Translated,
    prose,
)
from quizapp.exercises.numbers import compute_answer
from quizapp.exercises.spots import build_spot, spot_cases
from quizapp.exercises.traces import build_trace, cases
from quizapp.system.width import columns as cells
from quizapp.tui.markdown import lines
from tests.deck.tools import ROOT
from tests.sentences import catalogue

CONTENT = ROOT / "content"
FOLDERS = ("interview", "exercises", "gotchas", "traces", "layouts", "kernels", "spots")
COLUMNS, ROWS = 74, 19
"""What an 80×24 terminal leaves for a prompt with its options."""
KERNEL_ROWS, SPOT_ROWS, CODE_LINES = 8, 5, 22
"""Of a prompt above an editor that has half of the screen; of one above code that scrolls, and of
that code."""


@pytest.fixture(scope="module")
def questions(deck: Deck) -> dict[str, AnyQuestion]:
    return {name: deck.question(name) for name in deck.entries}


@pytest.fixture(scope="module")
def traced(questions: dict[str, AnyQuestion]) -> dict[str, list[Trace]]:
    """Every variant of every trace."""
    traces = {name: one for name, one in questions.items() if isinstance(one, Trace)}
    return {
        name: [build_trace(one, case).question for case in cases(one)]
        for name, one in traces.items()
    }


def test_nothing_is_left_out(deck):
    assert deck.left_out == 0


def test_there_are_interview_questions_exercises_and_gotchas(deck):
    folders = Counter(Path(e.file).relative_to(CONTENT).parts[1] for e in deck.entries.values())
    assert all(folders[folder] >= 5 for folder in FOLDERS)


def test_every_kind_is_there(deck):
    kinds = Counter(entry.kind for entry in deck.entries.values())
    assert all(kinds[kind] >= 5 for kind in ("recall", "choice", "number"))
    assert kinds["trace"] >= 30
    assert kinds["index"] >= 20
    assert kinds["kernel"] >= 5
    assert kinds["spot"] >= 20


def test_at_least_fifteen_questions_are_about_checked_claims(questions):
    with_claims = [question for question in questions.values() if question.claims]
    assert len(with_claims) >= 15
    rows = {
        int(number)
        for number in re.findall(
            r"^\|\s*(\d+)\s*\|", (ROOT / "docs/claims.md").read_text(), re.MULTILINE
        )
    }
    assert rows == set(range(1, 67))
    for name, question in questions.items():
        assert set(question.claims) <= rows, name


def texts(question: AnyQuestion) -> list[object]:
    """Every prose field of a question."""
    found: list[object] = [question.prompt, question.explanation, *question.hints]
    match question:
        case Choice():
            for option in question.options:
                found += [option.text, option.why]
        case Recall():
            found += [question.answer, *(point.point for point in question.rubric)]
        case Index() | Kernel():
            found += [wrong.why for wrong in question.wrong]
        case Spot(cuda=CudaSpot() as cuda):
            found += [cuda.prompt, cuda.explanation, *cuda.hints]
        case Number() | Trace() | Spot():
            pass
    return [text for text in found if text is not None]


def spot_codes(question: Spot) -> list[str]:
    """The code of every variant, in every language."""
    asked = (put_in(question, language) for language in languages_of(question))
    return [build_spot(one, case).question.code for one in asked for case in spot_cases(one)]


def words(text: str) -> str:
    """What is to be translated: all but code and signs."""
    return re.sub(r"```.*?```|`[^`]*`|[^A-Za-z\u3400-\u9fff]", "", text, flags=re.DOTALL)


def test_every_question_is_in_chinese_too(questions):
    for name, question in questions.items():
        for text in texts(question):
            chinese = prose(text, "zh")
            if words(prose(text, "en")):
                assert chinese != prose(text, "en"), (name, text)
                assert re.search("[\u3400-\u9fff]", chinese) or not words(chinese), (name, text)


def test_every_kernel_is_timed_beside_a_baseline_that_is_named(questions):
    """At three shapes it is proven right first, one of them no multiple of the block.

    One in CUDA C++ or Triton alone asks for what the language allows, not for speed.
    """
    kernels = {
        name: one
        for name, one in questions.items()
        if isinstance(one, Kernel) and one.starter is not None and one.triton is None
    }
    assert kernels
    for name, one in kernels.items():
        assert one.gpu is not None, name
        assert isinstance(one.gpu.against, Translated), name
        assert one.gpu.against.zh, name
        assert len(one.shapes) >= 3, name
        first, *others = (one.launch.block[0], *(n for s in one.shapes for n in s.values()))
        assert any(size % first for size in others), name


def test_both_languages_show_the_same_code(questions):
    for name, question in questions.items():
        for text in texts(question):
            code = [
                re.findall(r"```\w*\n(.*?)```", prose(text, language), re.DOTALL)
                for language in LANGUAGES
            ]
            without_comments = [[re.sub(r"(//|#).*", "", one) for one in blocks] for blocks in code]
            assert without_comments[0] == without_comments[1], name


DEGENERATE = re.compile(
    r"(?<![\w.])[01] \* | \* [01](?![\w.])| [-+^|] 0(?![\w.])|(?<![\w.])0 [+^|] | (<<|>>|&) 0(?!\w)"
)
"""What nobody writes: times 1, plus 0, shifted by 0."""


def test_no_variant_draws_code_that_nobody_would_write(questions, traced):
    odd = set()
    for name, question in questions.items():
        if isinstance(question, Trace):
            shown = [prose(variant.prompt, "en") for variant in traced[name]]
            code = [
                block
                for text in shown
                for block in re.findall(r"```cuda\n(.*?)```", text, re.DOTALL)
            ]
        elif isinstance(question, Spot):
            code = spot_codes(question)
        else:
            continue
        odd |= {(name, found[0]) for found in map(DEGENERATE.search, code) if found}
    assert odd == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_with_its_options_fits_a_small_terminal(questions, traced, language):
    for name, question in questions.items():
        drawn = traced.get(name, [question])
        drawings = [lines(prose(one.prompt, language), COLUMNS) for one in drawn]
        if isinstance(question, Spot):
            put = [build_spot(question, case).question for case in spot_cases(question)]
            drawings = [lines(prose(one.prompt, language), COLUMNS) for one in put]
        shown = [line for drawing in drawings for line in drawing]
        rows = max(map(len, drawings))
        if isinstance(question, Kernel):
            rows += ROWS - KERNEL_ROWS
        if isinstance(question, Spot):
            rows += ROWS - SPOT_ROWS
        if isinstance(question, Index):
            rows += 2 + question.starter.count("\n")
        if isinstance(question, Choice):
            rows += 1 + sum(
                len(lines(prose(option.text, language), COLUMNS - 4)) for option in question.options
            )
        assert rows <= ROWS, f"{name} takes {rows} rows"
        assert max(cells(line.plain) for line in shown) <= COLUMNS + 4, name


def test_the_code_of_every_fault_is_read_at_a_glance(questions):
    for name, question in questions.items():
        if isinstance(question, Spot):
            for text in spot_codes(question):
                code = text.rstrip("\n").split("\n")
                assert len(code) <= CODE_LINES, name
                assert max(map(cells, code)) <= CODE_COLUMNS, name
                assert "{{" not in "".join(code), name


def test_every_kind_has_its_word(deck):
    for entry in deck.entries.values():
        assert f"kind.{entry.kind}" in catalogue(), entry.id


def test_every_pack_and_topic_has_its_name_in_both_languages():
    for file in (ROOT / "content").glob("*/pack.yaml"):
        pack = msgspec.convert(yaml_reader.read(file.read_bytes()).data, Pack)
        assert isinstance(pack.topics, dict), file
        for named in (pack.title, pack.description, *pack.topics.values()):
            assert isinstance(named, Translated), file
            assert named.zh, file


@pytest.mark.parametrize("column", [0, 1], ids=LANGUAGES)
def test_a_topic_has_a_name_of_its_own_unless_it_is_the_same_topic_in_a_pack_of_drills(
    deck, column
):
    on = deck.packs_on({})
    names = {(e.pack, e.topic): e.topic_names[column] for e in deck.entries.values()}
    usual = [name for (pack, _), name in names.items() if pack in on]
    assert [name for name, many in Counter(usual).items() if many > 1] == []
    assert len({(topic, name) for (_, topic), name in names.items()}) == len(set(names.values()))


def test_every_topic_and_pack_is_found_by_its_id_and_by_every_title_that_is_printed(deck):
    named = {(e.topic, n) for e in deck.entries.values() for n in (e.topic, *e.topic_names)}
    named |= {(topic, name) for topic in deck.topics for name in deck.topic_names(topic)}
    for topic, name in sorted(named):
        assert deck.find_topic(name)[0] == topic
        assert deck.find_topic(f" {name.upper()} ")[0] == topic
    assert deck.find_topic("atomics") == ("atomics", None)
    assert deck.find_topic("shared memory atomics") == ("atomics", "shared-memory")
    assert deck.find_topic("atomics / shared memory atomics") == ("atomics", None)
    for pack in deck.packs.values():
        for name in (pack.id, *pack.titles, pack.title_en.upper()):
            assert deck.find_pack(name) == pack.id


def test_a_topic_of_two_packs_has_the_name_of_the_pack_that_is_asked_or_both(deck):
    of_one = deck.topic_names("atomics", "shared-memory")
    other = deck.topic_names("atomics", "fundamentals")
    assert (of_one[0], other[0]) == ("shared memory atomics", "atomics")
    both = deck.topic_names("atomics")
    assert {*both[0].split(" / ")} == {of_one[0], other[0]}
    assert {*both[1].split(" / ")} == {of_one[1], other[1]}


def test_every_question_names_its_sources(questions):
    for name, question in questions.items():
        assert all(source.strip() for source in question.sources), name


def test_every_number_has_an_expected_value_that_an_answer_can_meet(questions):
    numbers = {n: q for n, q in questions.items() if isinstance(q, Number)}
    assert sum(q.compute is not None for q in numbers.values()) >= 5
    for name, question in numbers.items():
        bounds = compute_answer(question)
        assert bounds is not None
        assert bounds.low <= bounds.value <= bounds.high, name
        if question.compute is not None:
            assert bounds.low <= compute(question.compute) <= bounds.high, name


def test_an_explanation_of_a_computed_number_states_it(questions):
    """The number in the text and the number that is graded come from two hands: they must agree."""
    for name, question in questions.items():
        if isinstance(question, Number) and question.compute and question.tolerance == 0:
            value = f"{compute(question.compute):g}"
            for language in LANGUAGES:
                text = prose(question.explanation, language).replace(",", "")
                assert re.search(rf"(?<![\d.]){re.escape(value)}(?![\d.]*\d)", text), (name, value)


def test_a_question_of_counts_says_whether_it_means_the_source(questions):
    for name, question in questions.items():
        computed = question.compute if isinstance(question, Number) else None
        if re.search("wavefronts|conflicts", computed or ""):
            assert question.basis is not None, name


SOMETHING_ELSE = {
    ("calc-chunk-in-64b-mode", "3"),  # the chunk that both questions ask about
    ("calc-prefill-share-of-twelve-gpus", "8"),  # KV heads, and GPUs of a node
    ("calc-tokens-that-fit-a-linear-state", "128"),  # the head dimension, in its prompt as well
    ("count-float-four-column", "32"),  # how many banks there are
}
"""Numbers that a required explanation uses for something other than the answer it opens."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_required_question_does_not_tell_the_number_that_it_opens(deck, questions, language):
    told = set()
    for name, question in questions.items():
        if not isinstance(question, Number):
            continue
        bounds = compute_answer(question)
        assert bounds is not None
        value = f"{bounds.value:g}"
        for needed in deck.entries[name].requires:
            read = re.sub("`[^`]*`|,", "", prose(questions[needed].explanation, language))
            if re.search(rf"(?<![\d.]){re.escape(value)}(?![\d.]*\d)", read):
                told.add((name.split("/")[1], value))
    assert told == SOMETHING_ELSE


def test_the_history_of_a_struck_twin_goes_on_under_the_question_that_asks_the_same(deck):
    renames = {old.split("/")[1]: new.split("/")[1] for old, new in deck.renames.items()}
    moved = {old for old, new in renames.items() if old == new}  # to another pack
    renames = {old: new for old, new in renames.items() if old not in moved}
    assert renames == {
        "double-buffered-gemm-footprint": "calc-gemm-block-shared-memory",
        "square-sixteen-transposed-read": "pick-remedy-for-square-block",
        "count-chunk-swizzle-on-floats": "chunk-swizzle-on-single-floats",
        "mappings-that-free-a-transpose": "pick-swizzles-that-free-a-transpose",
        "count-struct-of-three-floats": "struct-of-three-floats",
        "count-bit-reversal-of-a-block": "bit-reversed-thread-ids",
        "double-column-needs-padding": "trace-wide-column-pitch",
        "sixteen-byte-tile-column": "count-float-four-column",
        "count-char-column": "byte-loads-can-conflict",
        "interview-more-than-static-limit": "hundred-kilobytes-for-one-block",
        "shared-to-global-bandwidth-ratio": "calc-shared-over-global-bandwidth",
        "resident-blocks-by-every-limit": "calc-resident-blocks-all-limits",
        "neighbor-shared-memory-latency": "hopper-pick-latency-of-a-neighbor",
        "calc-shared-over-hbm": "calc-shared-over-global-bandwidth",
        "sources-pick-largest-step-after-coalescing": "sources-pick-next-step-of-a-padded-gemm",
        "calc-volta-bandwidth-per-multiprocessor": "calc-shared-over-global-bandwidth",
        "byte-offsets-thirty-two-apart": "calc-bank-of-byte-address",
        "count-two-words-of-one-bank": "two-words-of-one-bank",
        "count-broadcast-store": "eight-lanes-store-one-word",
        "count-stride-eight": "trace-stride",
        "count-stride-twenty": "trace-stride",
        "count-stride-thirty-three": "pick-free-strides",
        "half-tile-sixteen-extra": "trace-half-column-pitch",
        "count-column-of-pitch-twenty-four": "trace-column-read",
        "count-double-column": "trace-wide-column-pitch",
        "count-double-column-padded": "trace-wide-column-pitch",
        "interview-occupancy-limiter": "calc-resident-blocks-all-limits",
        "calc-volta-bandwidth-total": "calc-shared-over-global-bandwidth",
    }


def test_all_questions_can_be_reached_whatever_they_require(deck):
    """Answering what is open again and again opens everything."""
    done: set[str] = set()
    while True:
        opened = {e.id for e in deck.entries.values() if set(e.requires) <= done} - done
        if not opened:
            break
        done |= opened
    assert done == set(deck.entries)


def test_day_one_shows_every_kind_and_the_order_keeps_kinds_apart(deck):
    order = default_order(deck.entries.values())
    assert {candidate.kind for candidate in order[: len(KINDS)]} == set(KINDS)
    assert [c.difficulty for c in order[: len(KINDS)]] == [1] * len(KINDS)
    last = order[-1].kind
    while order[-2].kind == last:  # of which alone questions are left in the end
        order = order[:-1]
    assert all(before.kind != after.kind for before, after in pairwise(order))
    assert sum(before.topic == after.topic for before, after in pairwise(order)) <= 3
