"""What `python -m bench` prints of a figure, and when its data is ready."""

from __future__ import annotations

import pytest

from bench import __main__ as program
from bench import data
from bench.__main__ import table
from bench.figures import Figure
from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import sources
from tests.deck.tools import file, question


@pytest.mark.parametrize(
    ("limit", "at_least", "shown"),
    [
        (None, False, "2000.00 ×  9.0 ms"),
        (2000, False, "2000.00 × 2000 × ✓ 9.0 ms"),
        (1999, False, "2000.00 × 1999 × ✗ 9.0 ms"),
        (2000, True, "2000.00 × ≥ 2000 × ✓ 9.0 ms"),
        (2001, True, "2000.00 × ≥ 2001 × ✗ 9.0 ms"),
    ],
)
def test_a_limit_is_kept_from_its_own_side(limit, at_least, shown):
    figure = Figure("group", "what", 2000, limit, "×", "detail", at_least=at_least)
    row = table([(figure, 9.0)]).splitlines()[1]
    assert row.split() == ["group", "what", *shown.split()]


def test_a_benchmark_that_fails_is_named_and_costs_no_other_its_figure(monkeypatch, capsys):
    def fail(_data: object) -> list[Figure]:
        message = "drawn was something else"
        raise RuntimeError(message)

    def measure(_data: object) -> list[Figure]:
        return [Figure("fits", "what", 7.0, None, "ms", "detail")]

    monkeypatch.setattr(program, "GROUPS", {"plan": fail, "fits": measure})
    monkeypatch.setattr("sys.argv", ["bench"])
    assert program.main() == 1
    out, err = capsys.readouterr()
    assert "drawn was something else" in err
    rows = [line.split()[:5] for line in out.splitlines()]
    assert ["fits", "what", "7.0", "ms"] in [row[:4] for row in rows]
    assert rows[-1] == ["plan", "could", "not", "be", "measured"]


def test_a_deck_that_ships_more_than_the_benchmarks_want_is_measured_as_it_is(
    tmp_path, monkeypatch
):
    shipped = [file(question() + question("choice"))]
    monkeypatch.setattr(data, "QUESTIONS", 1)
    data.write_questions(tmp_path, shipped)
    assert len(compile_deck([*shipped, *sources([str(tmp_path)])]).compiled.entries) == 2


def test_data_whose_maker_was_killed_is_made_again(tmp_path, monkeypatch):
    """Before its end, nothing of it counts as ready; after it, nothing is made a second time."""
    made: list[bool] = []

    def write_half(found: data.Data, answers: int) -> None:
        (found.home / "progress.db").write_text("half")
        raise KeyboardInterrupt

    def write_all(found: data.Data, answers: int) -> None:
        assert not (found.home / "progress.db").exists()
        (found.home / "progress.db").write_text("whole")
        made.append(True)

    monkeypatch.setattr(data, "CACHE", tmp_path)
    monkeypatch.setattr(
        data, "write_questions", lambda folder, _shipped: folder.mkdir(parents=True)
    )
    monkeypatch.setattr(data, "write_answers", write_half)
    with pytest.raises(KeyboardInterrupt):
        data.prepare(7)
    monkeypatch.setattr(data, "write_answers", write_all)
    for _ in range(2):
        assert (data.prepare(7).home / "progress.db").read_text() == "whole"
    assert made == [True]
