"""Two reports compared: lines by their text, wherever they are; what is better and what worse."""

from __future__ import annotations

from dataclasses import replace

from grader.facts import fact
from grader.profiles import CountChange, compare_reports, make_report
from grader.simt import Finding
from tests.grader.profiles.records import NAIVE, TRANSPOSE, recorded, transposed

RACE = Finding("race", 8, 5, fact("finding.budget"))


def compared(old, new):
    return compare_reports(make_report(old), make_report(new))


def test_a_report_against_itself_has_no_changed_line():
    change = compared([transposed(), recorded(NAIVE)], [transposed(), recorded(NAIVE)])
    assert (change.gone, change.added) == ((), ())
    for kernel in change.kernels:
        assert (kernel.lines, kernel.fixed, kernel.added) == ((), (), ())
        assert all(count.before == count.after for count in kernel.totals)


def test_padding_makes_one_line_better():
    [kernel] = compared([transposed()], [transposed(33)]).kernels
    [line] = kernel.lines
    assert (line.old_line, line.new_line, line.source) == (12, 12, "out[y, x] = tile[tx, ty]")
    assert line.counts == (CountChange("wavefronts", 4096, 128),)
    assert line.counts[0].is_better
    assert kernel.totals[0] == CountChange("wavefronts", 4224, 256)


def test_a_line_that_moved_is_the_same_line():
    text = TRANSPOSE.replace("PITCH", "32").replace("    x, y =", "    # a comment\n    x, y =")
    [kernel] = compared([transposed()], [recorded(text)]).kernels
    assert kernel.lines == ()
    added = text.replace("# a comment", "cuda.syncthreads()")
    [kernel] = compared([transposed()], [recorded(added)]).kernels
    [line] = kernel.lines
    assert (line.old_line, line.new_line, line.source) == (0, 6, "cuda.syncthreads()")
    assert not line.counts[0].is_better
    [line] = compared([recorded(added)], [transposed()]).kernels[0].lines
    assert (line.old_line, line.new_line) == (6, 0)


def test_findings_are_fixed_or_new_wherever_their_line_is():
    bad, good = replace(transposed(), findings=(RACE,)), transposed()
    assert compared([bad], [good]).kernels[0].fixed == (RACE,)
    assert compared([good], [bad]).kernels[0].added == (RACE,)
    moved = replace(
        bad,
        findings=(replace(RACE, line=9),),
        lines=tuple(replace(line, line=line.line + 1) for line in bad.lines),
    )
    [kernel] = compared([bad], [moved]).kernels
    assert (kernel.fixed, kernel.added) == ((), ())


def test_what_a_fault_that_is_gone_costs_makes_nothing_worse():
    bad, good = replace(transposed(), findings=(RACE,)), transposed()
    assert compared([bad], [good]).kernels[0].repaired
    assert not compared([good], [bad]).kernels[0].repaired
    warning = replace(bad, findings=(replace(RACE, kind="warning"),))
    assert not compared([warning], [good]).kernels[0].repaired
    other = replace(bad, findings=(replace(RACE, topic="another"),))
    assert not compared([bad], [other]).kernels[0].repaired


def test_kernels_that_share_no_lines_are_not_the_same():
    change = compared([transposed()], [recorded(NAIVE)])
    assert (change.kernels, change.gone, change.added) == ((), ("transpose",), ("naive",))


def test_kernels_in_one_report_only():
    change = compared([transposed(), recorded(NAIVE)], [transposed()])
    assert (change.gone, change.added) == (("naive",), ())
    change = compared([transposed()], [transposed(), recorded(NAIVE)])
    assert (change.gone, change.added) == ((), ("naive",))


def test_a_renamed_kernel_is_the_same_if_it_is_the_only_one():
    renamed = recorded(TRANSPOSE.replace("PITCH", "32").replace("def transpose", "def other"))
    change = compared([transposed()], [renamed])
    assert [kernel.title for kernel in change.kernels] == ["other"]
    assert change.kernels[0].lines == ()
