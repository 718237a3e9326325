"""The families: each expression is what its slots say; the search finds the best of all."""

from __future__ import annotations

import numpy as np
import pytest

from grader.layouts import (
    Exercise,
    Tile,
    along_columns,
    along_rows,
    grade,
    layouts,
    matrix_rows,
    search,
)
from tests.grader.layouts.tools import EXERCISE, TILE

TILES = [
    Tile(32, 32),
    Tile(16, 16),
    Tile(8, 64, 2),
    Tile(12, 20),
    Tile(7, 5, 8),
    Tile(64, 8, 1),
    Tile(16, 8, 16),
    Tile(32, 64, 2, base=128),
    Tile(1, 32),
    Tile(1, 1),
]
FAMILIES = ["padding", "xor", "diagonal", "CuTe", "TMA"]


def named(tile: Tile, family: str, name: str) -> np.ndarray:
    return next(each.slots for each in layouts(tile) if (each.family, each.name) == (family, name))


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_every_expression_gives_its_slots_one_each(tile):
    roomy = Tile(tile.rows, tile.columns, tile.element_bytes, storage=1 << 16, base=tile.base)
    exercise = Exercise(roomy, ())
    for layout in layouts(tile):
        found = grade(layout.expression, exercise)
        assert found.verdict.passed, layout.expression
        assert np.array_equal(found.slots.ravel(), layout.slots), layout.expression


def test_all_families_are_there_without_twins_in_a_family():
    found = list(layouts(Tile(32, 32)))
    assert list(dict.fromkeys(layout.family for layout in found)) == FAMILIES
    assert len({(layout.family, layout.name) for layout in found}) == len(found)
    for family in FAMILIES:
        slots = [layout.slots.tobytes() for layout in found if layout.family == family]
        assert len({*slots}) == len(slots)
    assert [layout.name for layout in found if layout.family == "padding"] == [
        f"+{extra}" for extra in range(33)
    ]
    names = {layout.name for layout in found}
    assert {"col ^ row", "col ^ ((row & 7) << 2)", "col ^ (row >> 2)", "Swizzle<3,2,3>"} <= names


@pytest.mark.parametrize(
    ("mode", "span", "order"),
    [
        ("32B", 32, "01 01 01 01 10 10 10 10"),
        ("64B", 64, "0123 0123 1032 1032 2301 2301 3210 3210"),
        ("128B", 128, "01234567 10325476 23016745 32107654 45670123 54761032 67452301 76543210"),
    ],
)
def test_the_copy_engines_modes_as_recorded(mode, span, order):
    """Which 16-byte chunk of its row lies where, row by row; one element is one chunk."""
    chunks = span // 16
    slots = named(Tile(8, chunks, 16), "TMA", mode)
    at = np.empty_like(slots)
    at[slots] = np.arange(slots.size)
    rows = ["".join(str(chunk % chunks) for chunk in row) for row in at.reshape(8, chunks)]
    assert " ".join(rows) == order


def test_the_copy_engine_looks_at_absolute_addresses():
    slots = named(Tile(8, 8, 16, base=128), "TMA", "128B")
    at = np.argsort(slots).reshape(8, 8) % 8
    assert "".join(map(str, at[0])) == "10325476"
    assert not [each for each in layouts(Tile(8, 8, 16, base=64)) if each.family == "TMA"]


@pytest.mark.parametrize(("size", "mode", "b"), [(4, "128B", 3), (2, "64B", 2), (8, "32B", 1)])
def test_its_modes_are_swizzles_of_bytes(size, mode, b):
    """`Swizzle<B,4,3>` of the byte address is `Swizzle<B,4 - log2(size),3>` of the element."""
    columns = int(mode[:-1]) // size
    tile = Tile(256, columns, size)
    m = 4 - (size - 1).bit_length()
    assert np.array_equal(named(tile, "TMA", mode), named(tile, "CuTe", f"Swizzle<{b},{m},3>"))


def test_a_tile_wider_than_the_mode_is_made_of_boxes():
    slots = named(Tile(8, 64, 4), "TMA", "128B")
    box = named(Tile(8, 32, 4), "TMA", "128B").reshape(8, 32)
    wide = slots.reshape(8, 64)
    assert np.array_equal(wide[:, :32], box)
    assert np.array_equal(wide[:, 32:], box + 256)


def test_the_best_of_a_float_transpose_needs_no_storage():
    found = search(EXERCISE)
    assert found.best is not None
    assert found.best.layout.expression == "row * 32 + (col ^ row)"
    assert found.best.wavefronts == (1, 1, 1, 1)
    assert (found.best.total, found.best.extra_elements) == (128, 0)
    best = {each.layout.family: each for each in found.families}
    assert list(best) == FAMILIES
    assert best["padding"].layout.name == "+1"
    assert best["padding"].extra_elements == 31
    assert best["diagonal"].layout.name == "(col + row) % 32"
    assert best["CuTe"].layout.name == "Swizzle<5,0,5>"
    assert (best["TMA"].layout.name, best["TMA"].wavefronts) == ("128B", (1, 4, 1, 4))
    assert [each.passes for each in found.families] == [True, True, True, True, False]


def test_storage_that_is_not_there_is_not_used():
    tile = Tile(32, 32)
    found = search(Exercise(tile, EXERCISE.accesses))
    padding = next(each for each in found.families if each.layout.family == "padding")
    assert padding.layout.name == "+1"
    assert not padding.fits
    assert found.best is not None
    assert found.best.fits


@pytest.mark.parametrize(
    "exercise",
    [
        EXERCISE,
        Exercise(
            Tile(16, 16, 8),
            (
                along_rows("rows", "store", Tile(16, 16)),
                along_columns("columns", "load", Tile(16, 16), allowed=4),
            ),
        ),
        Exercise(
            Tile(32, 64, 2, storage=32 * 72),
            (
                matrix_rows("matrices", Tile(32, 64, 2)),
                along_rows("rows", "store", Tile(32, 64, 2), elements=8),
            ),
        ),
        Exercise(
            Tile(9, 20),
            (
                along_rows("rows", "store", Tile(9, 20), elements=2),
                along_columns("columns", "load", Tile(9, 20)),
            ),
        ),
    ],
    ids=["floats", "doubles", "halves", "odd"],
)
def test_the_search_says_what_grading_each_one_says(exercise):
    roomy = Exercise(
        Tile(
            exercise.tile.rows,
            exercise.tile.columns,
            exercise.tile.element_bytes,
            storage=1 << 16,
        ),
        exercise.accesses,
    )
    costs: dict[str, list[tuple[bool, int, int]]] = {}
    fitting = []
    for layout in layouts(exercise.tile):
        graded = grade(layout.expression, roomy)
        if graded.verdict.fails_at("aligned"):
            continue
        total = sum(report.total for report in graded.accesses)
        key = not graded.verdict.passed, total, graded.extra_elements
        costs.setdefault(layout.family, []).append(key)
        if layout.slots.max() < exercise.tile.allowed_storage:
            fitting.append(key)
    found = search(exercise)
    assert found.tried == len(list(layouts(exercise.tile)))
    assert {each.layout.family: order(each) for each in found.families} == {
        family: min(keys) for family, keys in costs.items()
    }
    assert order(found.best) == min(fitting)


def order(candidate):
    return not candidate.passes, candidate.total, candidate.extra_elements


def test_vectors_are_kept_together():
    tile = Tile(32, 32)
    accesses = (
        along_rows("rows", "store", tile, elements=4),
        along_columns("columns", "load", tile, elements=4),
    )
    found = search(Exercise(tile, accesses))
    assert found.best is not None
    assert found.best.wavefronts == (4, 4)
    assert found.best.layout.expression == "row * 32 + (col ^ ((row & 7) << 2))"


def test_ldmatrix_wants_the_copy_engines_swizzle():
    tile = Tile(64, 64, 2)
    accesses = (
        along_rows("fill", "store", tile, elements=8),
        matrix_rows("fragments", tile),
    )
    found = search(Exercise(tile, accesses))
    best = {each.layout.family: each for each in found.families}
    assert best["TMA"].layout.name == "128B"
    assert best["TMA"].passes
    assert best["CuTe"].layout.name == "Swizzle<3,3,3>"
    assert best["padding"].layout.name == "+8"
    assert "diagonal" in best


def test_a_search_that_finds_nothing_says_so():
    tile = Tile(2, 16, base=4)
    found = search(Exercise(tile, (along_rows("rows", "load", tile, elements=4),)))
    assert found.best is None
    assert found.families == ()
    assert found.tried > 0


def test_without_accesses_the_plain_layout_is_best():
    found = search(Exercise(TILE, ()))
    assert found.best is not None
    assert found.best.layout.expression == "row * 32 + col"
