"""Grades a person's layout: where each element of a tile goes in shared memory, what that costs.

    tile = Tile(32, 32)
    exercise = Exercise(tile, (along_rows("row store", "store", tile),
                               along_columns("column load", "load", tile)))
    grade("row * 32 + (col ^ row)", exercise).verdict.passed             a C expression
    grade("def index(row, col): return row, col ^ row", exercise)        a Python function
    search(exercise).best                                                of the usual layouts
    block_access("tile[threadIdx.x][threadIdx.y]", Block(32, 8), pitch=33).addresses

The source is interpreted, never executed. Knows no questions and no screen. docs/layouts.md has the
two languages, the gates and the families.
"""

from grader.layouts.block_accesses import BlockAccess, block_access
from grader.layouts.checks import GATES, gate_names, grade
from grader.layouts.errors import (
    InvalidExercise,
    LayoutError,
    NotUnderstood,
    NotWhole,
    NoValue,
    TooMuchWork,
)
from grader.layouts.families import layouts
from grader.layouts.report import AccessReport, LayoutGrade
from grader.layouts.searching import LayoutCandidate, search
from grader.layouts.source import evaluate, read
from grader.layouts.threads import Block, check_block
from grader.layouts.tiles import (
    Exercise,
    Tile,
    TileAccess,
    along_columns,
    along_rows,
    by_block,
    matrix_rows,
)

__all__ = [
    "GATES", "AccessReport", "Block", "BlockAccess", "Exercise", "InvalidExercise",
    "LayoutCandidate", "LayoutError", "LayoutGrade", "NoValue", "NotUnderstood", "NotWhole", "Tile",
    "TileAccess", "TooMuchWork", "along_columns", "along_rows", "block_access", "by_block",
    "check_block", "evaluate", "gate_names", "grade", "layouts", "matrix_rows", "read", "search",
]  # fmt: skip
