"""What stands beside the code: counts, places on the map, steps and tiles, against closed forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as replace_field

from grader.facts import fact
from grader.kernels import (
    ArrayTile,
    KernelGrade,
    RunReport,
    SharedArray,
    Snapshot,
    Variable,
)
from grader.kernels.outcome import WorstAccess
from grader.simt import Finding, Launch, Moment
from grader.verdict import Gate, verdict
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report.bankmap import MapCursor
from quizapp.report.lines import Line
from quizapp.report.verdicts import kernel_verdict, line_counts, snapshot, warp_access
from quizapp.report.verdicts.snapshot import move_thread
from quizapp.report.verdicts.steps import RecordedStep, steps
from quizapp.report.words import Words
from quizapp.system.width import columns
from tests.exercises.tools import kernel
from tests.grader.bank_tools import strided
from tests.grader.simt.corpus import faults, launched, names

EN, ZH = Words("en"), Words("zh")
RACES = ("race", "global-race")
ORIGIN = (0, 0, 0)


def texts(lines: Iterator[Line]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


# Counts of a line

COUNTS = {
    "shared_load_requests": 8, "shared_load_wavefronts": 64, "shared_load_ideal": 8,
    "global_store_requests": 8, "global_store_sectors": 40, "global_store_ideal_sectors": 32,
    "instructions": 8, "lanes": 128,
}  # fmt: skip


def test_a_table_has_a_column_for_each_kind_of_access():
    rows = [line.split() for line in texts(line_counts.table(COUNTS, 60, EN))]
    assert rows == [
        ["shared", "load", "global", "store"],
        ["requests", "8", "8"],
        ["wavefronts", "64", "–"],
        ["sectors", "–", "40"],
        ["ideal", "8", "32"],
        ["excessive", "56", "8"],
        ["active", "lanes", "50%"],
    ]


@pytest.mark.parametrize("say", [EN, ZH])
@pytest.mark.parametrize("room", [40, 60, 100])
def test_columns_that_do_not_fit_are_a_table_below(say, room):
    names = ("shared_load", "shared_store", "global_load", "global_store", "local_load")
    counts = {f"{name}_requests": 10**5 for name in names}
    lines = texts(line_counts.table(counts, room, say))
    assert max(map(columns, lines)) <= room
    assert sum(line.count("100,000") for line in lines) == len(names)


def run_of(by_line: dict[int, dict[str, int]]) -> RunReport:
    return RunReport({"n": 1}, (1, 1, 1), (32, 1, 1), by_line, 0, ())


def test_a_kernel_that_is_stopped_is_told_what_the_solution_takes_and_what_it_does_not_use():
    failed = Gate("runs", "failed", "budget", fact("finding.budget"))
    runs = [run_of({3: {"instructions": count}}) for count in (5000, 100)]
    mine, other = (KernelGrade("// mma_sync", verdict([failed], ()), (ran,)) for ran in runs)
    question = replace_field(kernel(), solution="wmma::mma_sync(c, a, b, c);")
    checked = CheckedKernel(question, mine, reference=other)
    shown = texts(kernel_verdict.failure(checked, EN))
    assert shown[1].startswith("  This task is for the Tensor Cores, and this kernel does not")
    assert "stopped after 5,000 statements" in shown[3]
    assert "the solution takes 100 in all" in shown[3]
    used = replace(mine, source='asm("mma.sync.aligned")')
    assert not replace(checked, graded=used).lacks_tensor_cores
    assert not replace(checked, question=kernel()).lacks_tensor_cores


def test_an_interview_names_no_function_that_was_probably_meant():
    meant = fact("suggest.name", name="cuda.syncthreads")
    failed = Gate(
        "source", "failed", line=1, column=1, reason=fact("python.unknown-name", name="x")
    )
    shown = []
    for gate in (failed, replace(failed, hint=meant)):
        checked = CheckedKernel(kernel(), KernelGrade("x", verdict([gate], ())))
        shown += [
            texts(kernel_verdict.failure(each, EN)) for each in (checked.without_cures(), checked)
        ]
    assert "syncthreads" in shown[3][-1]
    assert shown[2] == shown[3][:-1]
    assert shown[0] == shown[1]


def test_the_worst_line_is_the_one_with_most_beyond_the_ideal():
    busy = {"shared_load_wavefronts": 100, "shared_load_ideal": 100}
    slow = {"shared_store_wavefronts": 9, "shared_store_ideal": 1}
    wide = {"global_load_sectors": 64, "global_load_ideal_sectors": 32}
    run = run_of({3: busy, 5: slow, 7: wide})
    assert line_counts.worst_line(run, "shared") == 5
    assert line_counts.worst_line(run, "global") == 7
    assert line_counts.worst_line(run_of({3: busy}), "shared") == 0
    assert line_counts.worst_line(run_of({}), "global") == 0


# A place on the bank map


def access(
    addresses: list[int], width: int = 4, arrays: tuple[SharedArray, ...] = ()
) -> warp_access.ShownAccess:
    """The load of a warp, as it comes from the grader."""
    worst = WorstAccess(3, 1, "load", width, tuple(addresses), (True,) * 32, 0, 0)
    graded = KernelGrade("", verdict((), ()), accesses=(worst,), arrays=arrays)
    (made,) = warp_access.of_kernel(graded, EN)
    return made


TILE = SharedArray("tile", 4, (32, 32), 64)


def test_a_place_names_lane_word_byte_and_element():
    column = access([64 + 4 * (32 * lane + 5) for lane in range(32)], arrays=(TILE,))
    start = column.first_cursor()
    assert start == MapCursor(0, (64 // 4 + 5) % 32)
    word = 16 + 32 * 7 + 5
    assert texts(warp_access.describe_place(column, column.move(start, 7, 0), EN)) == [
        "wavefront 8, bank 21",
        f"  lane 7 · word {word}, byte {4 * word:,} · tile[7, 5]",
        "  this bank needs 32 passes: lanes 0–31",
    ]


def test_lanes_that_share_a_word_are_named_together():
    same = access([64] * 32, arrays=(TILE,))
    assert texts(warp_access.describe_place(same, MapCursor(0, 16), EN))[1:] == [
        "  lanes 0–31 · word 16, byte 64 · tile[0, 0]"
    ]
    assert texts(warp_access.describe_place(same, MapCursor(0, 17), EN))[1:] == [
        "  this bank serves no lane here"
    ]


def test_elements_smaller_than_a_word_are_each_lanes_own():
    small = SharedArray("s", 1, (128,), 0)
    found = texts(warp_access.describe_place(
        access(list(range(32)), 1, (small,)), MapCursor(0, 1), EN
    ))  # fmt: skip
    assert found[1] == "  lanes 4–7 · word 1, byte 4 · s[4], s[5], s[6], s[7]"


def test_the_cursor_stays_on_the_map():
    load = access(strided(4, 2))
    assert load.move(MapCursor(0, 0), -1, -1) == MapCursor(0, 0)
    assert load.move(MapCursor(1, 31), 1, 1) == MapCursor(1, 31)


def test_an_element_is_known_by_its_byte():
    array = SharedArray("a", 8, (2, 3, 5), 100)
    for index in np.ndindex(2, 3, 5):
        address = 100 + 8 * int(np.ravel_multi_index(index, (2, 3, 5)))
        assert array.index(address) == array.index(address + 7) == index
    assert array.index(99) is None
    assert array.index(100 + 8 * 30) is None


# The steps of a finding


@pytest.fixture(scope="module")
def found() -> list[tuple[Launch, Finding]]:
    """The findings of a third of the corpus's faulty kernels."""
    return [
        (done, finding)
        for name in names()[::9]
        for fault in faults(name)
        if fault.hazard
        for done in [launched(name, fault.text)[0]]
        for finding in done.findings
    ]


def test_a_race_is_two_ends_a_write_first_and_what_is_missing(found):
    races = [(done, finding) for done, finding in found if finding.kind in RACES]
    assert len(races) > 6
    for done, finding in races:
        first, second, missing = steps(finding, EN)
        ends = {(first.line, first.thread, first.block), (second.line, second.thread, second.block)}
        assert ends == {
            (finding.line, finding.threads[0], finding.blocks[0]),
            (finding.other_line, finding.threads[1], finding.blocks[1]),
        }
        said = texts(iter((*first.said, *second.said)))
        assert " reads " not in said[0]
        assert (" reads " in said[1]) == ("read" in finding.topic)
        assert what_orders(done, finding) in "".join(texts(iter(missing.said)))


def what_orders(done: Launch, finding: Finding) -> str:
    """What the two threads of a race lack, by where they are."""
    if finding.blocks[0] != finding.blocks[1]:
        return "second launch"
    x, y, _ = done.block
    warps = {(thread[0] + x * (thread[1] + y * thread[2])) // 32 for thread in finding.threads}
    return "syncwarp" if len(warps) == 1 else "syncthreads"


def test_any_other_finding_is_one_step_at_its_line_and_thread(found):
    others = [finding for _, finding in found if finding.kind not in RACES]
    assert {finding.kind for finding in others} >= {"out-of-bounds", "uninitialised-read"}
    for finding in others:
        (step,) = steps(finding, ZH)
        thread = finding.threads[0] if finding.threads else None
        assert (step.line, step.block, step.thread) == (finding.line, finding.block, thread)


# What a thread saw


def test_threads_and_blocks_go_round():
    launch = snapshot.ShownLaunch(0, (2, 3, 1), (4, 2, 2))
    moment, threads, blocks = Moment(9, ORIGIN, ORIGIN, 4), [], []
    for _ in range(16):
        threads.append(moment.thread)
        moment = move_thread(launch, moment, 1, 0)
    assert (moment.thread, moment.occurrence, moment.line) == (ORIGIN, 1, 9)
    assert threads == [(x, y, z) for z in range(2) for y in range(2) for x in range(4)]
    for _ in range(6):
        blocks.append(moment.block)
        moment = move_thread(launch, moment, 0, 1)
    assert blocks == [(x, y, 0) for y in range(3) for x in range(2)]
    assert move_thread(launch, moment, -1, 0).thread == (3, 1, 1)


def tile(states: str) -> ArrayTile:
    """A tile of rows of eight, with the states by their first letters."""
    full = {"n": "never", "e": "earlier", "h": "here"}
    cells = tuple(str(number) for number in range(len(states)))
    known = tuple(full[state] for state in states)
    return ArrayTile("s", "shared", "int32", (len(states) // 8, 8), 8, cells, known)


SEEN = Snapshot(3, (Variable("i", "int64", "7"), Variable("value", "float32", "0.5")))


def drawn(seen: Snapshot | None, room: int = 60, occurrence: int = 2) -> list[str]:
    return texts(snapshot.lines(seen, Moment(9, ORIGIN, (1, 2, 0), occurrence), room, EN))


def test_variables_stand_in_a_table():
    assert drawn(SEEN) == [
        "thread (1, 2) of block 0",
        "execution 2 of 3 of this line",
        "  i      7    int64",
        "  value  0.5  float32",
    ]


def test_cells_are_signed_by_who_wrote_them():
    lines = drawn(Snapshot(1, (), (tile("heeennnnnnnnnnnn"),)))
    assert [line.split() for line in lines[-5:-2]] == [
        [*"01234567"], ["0", "0*", "1", "2", "3", *"····"], ["1", *"········"],
    ]  # fmt: skip
    assert lines[-2:] == ["  * written last by this line", "  · not written yet"]


@pytest.mark.parametrize("place", range(8))
def test_where_not_all_columns_fit_those_that_the_line_wrote_do(place):
    states = "".join("h" if column == place else "e" for column in range(8))
    lines = drawn(Snapshot(1, (), (tile(states),)), room=20)
    assert max(map(columns, lines[5:7])) <= 20
    assert any(f" {place}* " in f"{line} " for line in lines)


def test_of_a_thread_that_never_comes_and_of_what_cannot_run():
    assert drawn(Snapshot(0))[1:] == ["This thread never executes line 9."]
    assert drawn(None)[1:] == ["There are no values: the code cannot be run, or it runs compiled."]


def test_a_step_decides_at_which_shape_values_are_looked_at():
    finding = Finding("race", 3, 1, fact("finding.budget"), threads=(ORIGIN, ORIGIN))
    first = run_of({})
    second = RunReport({"n": 9}, (5, 1, 1), (64, 1, 1), {}, 0, (finding,))
    graded = KernelGrade("", verdict((), ()), (first, second))
    chosen = snapshot.choose_launch(graded, RecordedStep(3, (), finding))
    assert chosen == snapshot.ShownLaunch(1, (5, 1, 1), (64, 1, 1))
    assert snapshot.choose_launch(graded, None) == snapshot.ShownLaunch(0, (1, 1, 1), (32, 1, 1))
    assert snapshot.choose_launch(KernelGrade("", verdict((), ())), None) is None
