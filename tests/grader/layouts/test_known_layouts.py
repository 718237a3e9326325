"""Layouts whose cost was measured on an H200, or follows from its rule: hardware/README.md."""

from __future__ import annotations

import numpy as np
import pytest

from grader.banks import cost_many
from grader.layouts import (
    Block,
    Exercise,
    Tile,
    along_columns,
    along_rows,
    block_access,
    by_block,
    grade,
    matrix_rows,
)
from tests.grader.layouts.tools import EXERCISE, TILE, body, conflicts, transposed, wavefronts

CYCLIC = "row * 32 + col / 4 * 4 + (col % 4 + row / 4) % 4"


@pytest.mark.parametrize(
    ("source", "measured"),
    [
        ("row * 32 + col", 63_488),
        ("row * 33 + col", 0),
        ("tile[row][col]", 0),
        ("row * 32 + (col ^ row)", 0),
        ("row * 32 + (row + col) % 32", 0),
        ("row * 32 + (col ^ ((row & 7) << 2))", 6_144),
        ("row * 32 + (col ^ ((row & 31) >> 2))", 6_144),
        (CYCLIC, 14_336),
        ("(row ^ (col & 7)) * 32 + col", 63_488),
    ],
)
def test_the_transposes_that_were_measured(source, measured):
    tiles = (256 // 32) ** 2
    assert conflicts(source) * tiles == measured


@pytest.mark.parametrize(
    ("pitch", "source"),
    [
        (33, "row * 33 + col"),
        (33, "tile[row][col]"),
        (33, "threadIdx.x * 33 + threadIdx.y"),
        (33, body("return row, col")),
        (32, "tile[row][col ^ row]"),
        (32, "tile[row][(row + col) % 32]"),
        (32, "row * 32 + (col ^ row)"),
        (32, body("return row, col ^ row")),
        (32, body("return row, (row + col) % 32")),
        (32, body("return row * 32 + (col ^ row)")),
    ],
)
def test_what_frees_rows_and_columns_passes(pitch, source):
    tile = Tile(32, 32, pitch=pitch)
    found = grade(source, Exercise(tile, EXERCISE.accesses))
    assert found.verdict.passed
    assert wavefronts(found) == [1, 1, 1, 1]


def test_xor_in_rows_of_33_frees_nothing():
    assert transposed("tile[row][col ^ row]", Tile(32, 32, pitch=33))[1] > 1


@pytest.mark.parametrize(
    ("source", "ways"),
    [
        ("row * 32 + (col ^ ((row & 7) << 2))", 4),
        ("row * 32 + (col ^ ((row & 31) >> 2))", 4),
        (CYCLIC, 8),
        (body("return row ^ (col & 7), col"), 1),
        ("(row ^ (col & 7)) * 32 + col", 32),
    ],
)
def test_what_does_not_is_so_many_ways(source, ways):
    assert transposed(source)[1] == ways


@pytest.mark.parametrize(("pitch", "row", "column"), [(16, 1, 8), (17, 2, 2), (18, 2, 1)])
def test_padding_a_16_by_16_tile(pitch, row, column):
    tile = Tile(16, 16, pitch=pitch)
    assert transposed("tile[row][col]", tile) == (row, column)
    found = block_access("tile[threadIdx.x][threadIdx.y]", Block(16, 16), pitch=pitch)
    assert cost_many("load", 4, found.addresses).wavefronts.max() == column


def test_xor_frees_a_16_by_16_tile_both_ways():
    assert transposed("row * 16 + (col ^ row)", Tile(16, 16)) == (1, 1)


@pytest.mark.parametrize(
    ("element_bytes", "pitch", "column"),
    [(8, 32, 32), (8, 33, 2), (4, 32, 32), (4, 33, 1), (2, 32, 16), (2, 34, 1), (1, 32, 8)],
)
def test_a_column_of_other_elements(element_bytes, pitch, column):
    assert transposed("tile[row][col]", Tile(32, 32, element_bytes, pitch))[1] == column


def test_a_column_of_halves_padded_by_one_is_free_at_even_columns_only():
    tile = Tile(32, 32, 2, pitch=33)
    found = block_access("tile[lane][warp]", Block(32, 32), element_bytes=2, pitch=33)
    wavefront = cost_many("load", 2, found.addresses).wavefronts
    assert wavefront[::2].tolist() == [1] * 16
    assert wavefront[1::2].tolist() == [2] * 16
    assert transposed("tile[row][col]", tile)[1] == 2


@pytest.mark.parametrize(("pitch", "row", "column"), [(32, 4, 32), (36, 4, 4), (40, 4, 8)])
def test_float4_rows_and_columns(pitch, row, column):
    """A pitch in floats; 36 is one float4 more."""
    tile = Tile(32, 32, pitch=pitch)
    accesses = (
        along_rows("rows", "load", tile, elements=4),
        along_columns("columns", "load", tile, elements=4),
    )
    assert wavefronts(grade("tile[row][col]", Exercise(tile, accesses))) == [row, column]


@pytest.mark.parametrize(("extra", "wanted"), [(0, 32), (2, None), (8, 4), (16, 8)], ids=str)
def test_ldmatrix_rows_of_halves(extra, wanted):
    """8 halves of padding free them, 16 leave two ways; 2 break the alignment."""
    tile = Tile(32, 64, 2, pitch=64 + extra)
    found = grade("tile[row][col]", Exercise(tile, (matrix_rows("rows", tile),)))
    if wanted is None:
        assert found.verdict.fails_at("aligned")
    else:
        assert wavefronts(found) == [wanted]


def test_the_swizzle_of_the_copy_engine_frees_ldmatrix():
    tile = Tile(32, 64, 2)
    source = "row * 64 + (col ^ ((row & 7) << 3))"
    found = grade(source, Exercise(tile, (matrix_rows("rows", tile),)))
    assert found.verdict.passed
    assert wavefronts(found) == [4]


def test_reversing_bits_leaves_one_warp_alone_and_hurts_larger_blocks():
    for threads in (32, 64, 128, 256, 512, 1024):
        shift = 32 - (threads.bit_length() - 1)
        found = block_access(f"__brev(threadIdx.x) >> {shift}", Block(threads))
        assert cost_many("load", 4, found.addresses).wavefronts.max() == threads // 32


def test_interleaved_and_sequential_reduction():
    ways = []
    for step in range(8):
        stride, threads = 1 << step, 128 >> step
        found = block_access("2 * S * threadIdx.x", Block(threads), constants={"S": stride})
        ways.append(int(cost_many("load", 4, found.addresses, found.active).ways.max()))
        plain = block_access("threadIdx.x", Block(threads))
        assert cost_many("load", 4, plain.addresses, plain.active).conflicts.max() == 0
    assert ways == [2, 4, 8, 8, 8, 4, 2, 1]


def test_a_privatised_histogram_of_rows_is_8_way():
    """`[32][8]`: one warp that touches all counters of its lanes."""
    tile = Tile(32, 8)
    access = by_block("counters", "store", Block(32), row="lane", column="0")
    assert wavefronts(grade("tile[row][col]", Exercise(tile, (access,)))) == [8]


def test_structs_of_12_bytes_are_free_and_of_16_are_4_way():
    lanes = np.arange(32)
    for members, ways in ((3, 1), (4, 4)):
        found = block_access(f"threadIdx.x * {members} + 1")
        assert np.array_equal(found.indices[0], lanes * members + 1)
        assert cost_many("store", 4, found.addresses).ways.tolist() == [ways]


def test_along_rows_takes_what_a_block_of_the_tiles_shape_takes():
    for tile in (TILE, Tile(16, 16), Tile(8, 24), Tile(5, 7)):
        block = Block(tile.columns, tile.rows)
        for plain, row, column, turned in (
            (along_rows("a", "load", tile), "threadIdx.y", "threadIdx.x", block),
            (
                along_columns("a", "load", tile),
                "threadIdx.x",
                "threadIdx.y",
                Block(tile.rows, tile.columns),
            ),
        ):
            same = by_block("a", "load", turned, row=row, column=column)
            assert np.array_equal(plain.rows, same.rows)
            assert np.array_equal(plain.columns, same.columns)
            assert (plain.active is None) == (same.active is None)
            if plain.active is not None and same.active is not None:
                assert np.array_equal(plain.active, same.active)
