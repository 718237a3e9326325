"""The PTX of the probes, and what is asked: held to the bank model where nobody disputes it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from grader.banks import Access, cost
from grader.gpu.calibrating.probes import (
    BALLAST,
    BALLAST_WAVEFRONTS,
    INSTRUCTIONS,
    REACH,
    UNROLLED,
    ballast_text,
    probe_names,
    text,
)
from grader.gpu.calibrating.timed_accesses import list_accesses

EACH = pytest.mark.parametrize("one", INSTRUCTIONS, ids=lambda one: one.name)
ASKED = [(one, question) for one in INSTRUCTIONS for question in list_accesses(one)]


def entries(module: str) -> dict[str, str]:
    parts = re.split(r"\.visible \.entry (\w+)\(", module)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rounds(body: str) -> str:
    """What stands in the timed loop."""
    return body.split("ROUND:")[1].split("bra ROUND", maxsplit=1)[0]


@EACH
def test_a_round_has_the_access_as_often_as_is_counted_and_nothing_else_of_shared_memory(one):
    found = entries(text(one))
    assert tuple(found) == probe_names(one)
    opcode = one.code.split()[0]
    for name, body in found.items():
        lines = [line.strip() for line in rounds(body).splitlines()]
        accesses = [line for line in lines if opcode in line and "%ballast" not in line]
        assert len(accesses) == UNROLLED
        assert all(line.startswith("@%on") == ("_masked" in name) for line in accesses)
        ballast = [line for line in lines if line.startswith("ld.") and "%ballast" in line]
        assert len(ballast) == UNROLLED * name.endswith("_behind")
        others = {line.split()[0] for line in lines if line} - {opcode, "@%on"}
        assert others <= {
            ".pragma", "ld.volatile.shared.b32", "xor.b32", "xor.b64", "add.u32", "sub.u32",
            "setp.ne.u32", "@%more",
        }  # fmt: skip


@EACH
def test_every_register_is_declared_and_every_result_kept(one):
    for body in entries(text(one)).values():
        declared = set(re.findall(r"%(\w+)[,;<]", "".join(re.findall(r"\.reg[^;]*;", body))))
        code = body.split(".reg .b64")[1].split(";", 1)[1]
        used = set(re.findall(r"%([a-z]\w*)", code)) - {"tid", "clock64"}
        ranged = {"a": 32, "c": 8}
        for name in used - declared:
            letter, number = name[0], name[1:]
            assert letter in declared
            assert int(number) < ranged[letter]
        results = re.findall(r"%[ac]\d+", " ".join(re.findall(r"xor[^;]*;", rounds(body))))
        assert len(results) == UNROLLED * one.results


def test_the_ballast_alone():
    (name, body), = entries(ballast_text()).items()  # fmt: skip
    assert name == BALLAST
    assert rounds(body).count("ld.volatile.shared.b32") == UNROLLED
    lanes = np.arange(32)
    access = Access("load", 4, 128 * (lanes // 4), np.ones(32, np.bool_))
    assert cost(access).wavefronts == BALLAST_WAVEFRONTS


def test_names_are_of_their_own():
    names = [BALLAST, *(name for one in INSTRUCTIONS for name in probe_names(one))]
    assert len(set(names)) == len(names)
    assert len({one.shown for one in INSTRUCTIONS}) == len(INSTRUCTIONS)
    for one in INSTRUCTIONS:
        asked = [question.name for question in list_accesses(one)]
        assert len(set(asked)) == len(asked)


def test_what_is_asked_lies_in_the_tile_and_is_aligned():
    assert 250 <= len(ASKED) <= 350
    for one, question in ASKED:
        assert len(question.offsets) == len(question.active) == 32
        assert all(offset % one.width == 0 for offset in question.offsets)
        assert min(question.offsets) >= 0
        assert max(question.offsets) + one.width <= REACH
        assert any(question.active)
        assert not one.matrix or question.mask == (1 << one.lanes) - 1


@EACH
def test_a_ladder_has_rungs_far_apart(one):
    rungs = [question.rung for question in list_accesses(one) if question.rung is not None]
    assert len(set(rungs)) == len(rungs) >= 3
    assert max(rungs) >= 8 * min(rungs)


@pytest.mark.parametrize("arch", ["7.5", "8.0", "8.9", "9.0", "12.0"])
def test_the_model_disputes_no_rung(arch):
    for one, question in ASKED:
        if question.rung is None or (one.kind == "stmatrix" and float(arch) < 9):
            continue
        addresses, active = np.array(question.offsets), np.array(question.active)
        found = cost(Access(one.kind, one.width, addresses, active), arch)
        if found.wavefronts_at_most is not None:
            assert found.wavefronts == question.rung * found.wavefronts_a_pass


def test_the_same_is_asked_every_time():
    assert [list_accesses(one) for one in INSTRUCTIONS] == [
        list_accesses(one) for one in INSTRUCTIONS
    ]


def test_what_merges_and_what_does_not_is_asked_of_wide_loads():
    """Each of these costs another number where loads do not merge, or do it group by group."""
    named = {(one.name, question.name): question for one, question in ASKED}
    for width, name in ((8, "ld_b64"), (16, "ld_b128")):
        for question in (
            "all lanes on one element",
            "lanes 2i and 2i+1 on one element",
            "lanes i and i^2 on one element",
            "even lanes active, elements next to each other",
        ):
            asked = named[name, question]
            of = np.array(asked.offsets), np.array(asked.active)
            assert (
                cost(Access("load", width, *of)).wavefronts
                < cost(Access("store", width, *of)).wavefronts
            )
