"""What stands when imports are undone, held against sets of events counted one by one."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.log.events import Flagged, Imported, LogEntry, Unvoided, Voided
from quizapp.domain.log.imports import EVERYTHING, find_runs, find_standing

numbers = st.sets(st.tuples(st.sampled_from("ab"), st.integers(1, 30)))


FLAGGED = Flagged(on=True)


def entry(machine: str, sequence: int, body=FLAGGED, at_ms: int = 1) -> LogEntry:
    return LogEntry(f"{machine}{sequence}", at_ms, machine, sequence, "s", "q", body)


@given(numbers)
def test_runs_hold_exactly_the_numbers_they_were_made_of(pairs):
    runs = find_runs(pairs)
    assert {(m, n) for m, r in runs.items() for a, b in r for n in range(a, b + 1)} == pairs
    assert all(b + 1 < c for r in runs.values() for (_, b), (c, _) in pairwise(r))


@given(numbers, numbers, st.lists(st.tuples(st.sampled_from("xy"), st.booleans()), max_size=6))
def test_what_undone_imports_brought_does_not_stand(first, second, steps):
    brought = {"x": first, "y": second - first}
    imports = {
        name: LogEntry(name, 2, "m", 1, "s", None, Imported(origin="o", taken=find_runs(pairs)))
        for name, pairs in brought.items()
    }
    log = [
        entry("m", 10 + place, (Unvoided if redo else Voided)(target=name), at_ms=3 + place)
        for place, (name, redo) in enumerate(steps)
    ]
    undone: set[str] = set()
    for name, redo in steps:
        (undone.discard if redo else undone.add)(name)
    gone = set().union(*(brought[name] for name in undone)) if undone else set()
    standing = find_standing(log, imports)
    for machine, sequence in first | second:
        assert (entry(machine, sequence) in standing) == ((machine, sequence) not in gone)


def test_an_undo_that_an_undone_import_brought_does_not_count():
    inner = LogEntry("inner", 1, "b", 5, "s", None, Imported(origin="o", taken={"a": ((1, 9),)}))
    undo = entry("b", 6, Voided(target="inner"), at_ms=2)
    outer = LogEntry("outer", 3, "c", 1, "s", None, Imported(origin="o", taken={"b": ((5, 6),)}))
    undo_outer = entry("c", 2, Voided(target="outer"), at_ms=4)
    known = {"inner": inner, "outer": outer}
    assert entry("a", 3) not in find_standing([undo], known)
    assert entry("a", 3) in find_standing([undo, undo_outer], known)
    assert undo not in find_standing([undo, undo_outer], known)


def test_without_an_undone_import_everything_stands():
    assert find_standing([], {}) is EVERYTHING
