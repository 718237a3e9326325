"""`quiz banks`: what the bank model says of an expression, or of recorded accesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from quizapp.commands._output import note, print_json
from quizapp.commands._params import Named
from quizapp.commands._shared import json_option, subcommand
from quizapp.domain.exercise import Op
from quizapp.errors import FINDINGS, OK, UsageError

if TYPE_CHECKING:
    from quizapp.commands._accesses import Asked

DEFAULT_ARCH = "9.0"
ELEMENT_BYTES = 4
MOST_ELEMENT_BYTES = 4096


def _architectures() -> Iterable[tuple[str, str]]:
    from grader.banks import ARCHITECTURES  # noqa: PLC0415 - 100 ms: NumPy

    return [(name, row.name) for row in ARCHITECTURES for name in row.devices]


@subcommand(
    "Count the bank conflicts of an access, and draw its bank map.",
    "quiz banks 'threadIdx.x * 2'",
    "quiz banks 'tile[threadIdx.x][threadIdx.y]' --block 32x8 --tile 32x33",
    "quiz banks 'tile[threadIdx.x][threadIdx.y]' --block 32x8 --tile 32x32 --search",
    "quiz banks 'lane * 4' --width 16 --op store --arch 8.0 --mask 0xffff",
    "quiz banks --trace accesses.csv --json",
)
@click.argument("expression", required=False)
@click.option(
    "--elem",
    type=click.IntRange(1, MOST_ELEMENT_BYTES),
    metavar="BYTES",
    help=f"Size of an element; {ELEMENT_BYTES} if not given.",
)
@click.option("--width", type=int, metavar="BYTES", help="What a lane moves; if not given, --elem.")
@click.option(
    "--op",
    type=click.Choice(get_args(Op), case_sensitive=False),
    help="What is done; load if not given.",
)
@click.option("--block", metavar="XxYxZ", help="Threads of the block; 32 if not given.")
@click.option("--tile", metavar="RxC", help="Rows and columns of the array, which bound it.")
@click.option(
    "--mask",
    metavar="BITS",
    help="Active lanes of every warp: 0xffff; all if not given. Of ldmatrix and stmatrix 0xff is "
    ".x1, 0xffff .x2.",
)
@click.option(
    "--arch",
    type=Named("arch", _architectures),
    default=DEFAULT_ARCH,
    help=f"Compute capability: 1.x to 12.x, 8.6, sm_86; {DEFAULT_ARCH} if not given.",
)
@click.option("--search", is_flag=True, help="Also search a better layout of the tile.")
@click.option(
    "--trace",
    type=click.Path(allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Cost recorded accesses instead; - is standard input.",
)
@json_option
def command(
    *, expression: str | None, elem: int | None, width: int | None, op: Op | None,
    block: str | None, tile: str | None, mask: str | None, arch: str, trace: Path | None,
    search: bool, as_json: bool,
) -> int:  # fmt: skip
    """EXPRESSION is the element a thread accesses, in C: an index, or `tile[i][j]` with --tile.

    It may use threadIdx, blockDim, lane, warp, row (threadIdx.y) and col (threadIdx.x). A Python
    `def index(row, col)` works too. Nothing of it is executed.

    The map has a row for each wavefront, of atom_cas for each pass, with the lane that each bank
    serves; `!` marks those beyond the first of their lane group, which are the conflicts. Ideal is
    what the best placement of the same words would take; an atomic passes once for each lane on
    the fullest word.

    atom is an integer atomic whose result is used, atom_inc a +1 whose result is not; atom_cas
    compares and swaps, with two wavefronts a pass. atom_float is a retry loop, as are atom of 8
    bytes and atom_cas of 2 and 16.

    FILE is CSV with the columns op, width, mask and offsets (32 bytes' offsets, by blanks). A line
    that holds no access is named on standard error, and makes the status 1.
    """
    if trace is not None:
        given = {
            "EXPRESSION": expression, "--elem": elem, "--width": width, "--op": op,
            "--block": block, "--tile": tile, "--mask": mask, "--search": search or None,
        }  # fmt: skip
        _refuse([name for name, value in given.items() if value is not None])
        return _trace(trace, arch, as_json=as_json)
    if expression is None or not expression.strip():
        todo = "`quiz banks 'threadIdx.x * 2'` costs an expression, --trace FILE recorded accesses"
        raise UsageError("there is nothing to cost", todo)
    asked = _asked(
        expression, elem=elem, width=width, op=op, block=block, tile=tile, mask=mask, arch=arch
    )
    return _expression(asked, searching=search, as_json=as_json)


def _refuse(given: Sequence[str]) -> None:
    """See that nothing else was given with --trace."""
    if given:
        what = f"--trace takes no {', '.join(given)}"
        raise UsageError(what, "leave it out: each line of the file says what is accessed, and how")


def _asked(
    source: str, *, elem: int | None, width: int | None, op: Op | None, block: str | None,
    tile: str | None, mask: str | None, arch: str,
) -> Asked:  # fmt: skip
    """The options as values, those left out filled in."""
    from quizapp.commands import _accesses, _shapes  # noqa: PLC0415 - 100 ms: NumPy

    return _accesses.Asked(
        source=source,
        op=op or "load",
        element=elem or ELEMENT_BYTES,
        width=width,
        block=_shapes.block_of(block or "32"),
        tile=None if tile is None else _shapes.tile_of(tile),
        mask=_shapes.EVERYONE if mask is None else _shapes.mask_of(mask),
        arch=arch,
    )


def _expression(asked: Asked, *, searching: bool, as_json: bool) -> int:
    """Cost an expression, and search a layout if that is wanted."""
    from quizapp.commands import _accesses, _banks_output  # noqa: PLC0415 - 100 ms: NumPy

    costed = _accesses.costed(asked)
    searched = _accesses.searched(costed) if searching else None
    if as_json:
        plain = _banks_output.access_as_plain(costed)
        if searched is not None:
            plain["search"] = _banks_output.search_as_plain(costed, searched)
        print_json(plain)
        return OK
    _banks_output.print_access(costed)
    if searched is not None:
        _banks_output.print_search(costed, searched)
    return OK


def _trace(file: Path, arch: str, *, as_json: bool) -> int:
    """Cost the accesses of a file."""
    from quizapp.commands import _banks_output, _recorded  # noqa: PLC0415 - 100 ms: NumPy

    found = _recorded.recorded(file, arch)
    for problem in found.problems:
        note(f"{file}:{problem.line}: {problem.what}")
    if as_json:
        print_json(_banks_output.recorded_as_plain(found, arch))
    else:
        _banks_output.print_recorded(found)
    return FINDINGS if found.problems else OK
