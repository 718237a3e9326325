"""`quiz banks`: what the bank model says of an expression, or of recorded accesses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

import click

from grader import banks
from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import note, print_json, print_lines, room
from quizapp.commands.common.parameters import Integer, Named, OneOf, html_option
from quizapp.commands.common.written_files import check_free, overwrite_option, write_file
from quizapp.domain.errors import FINDINGS, OK, UsageError
from quizapp.domain.exercise import Op
from quizapp.exercises import accesses, recorded_accesses, shapes
from quizapp.report import accesses as report
from quizapp.report.html import accesses as pages
from quizapp.report.words import Words
from quizapp.system.language import person_language

DEFAULT_ARCH = "9.0"
ELEMENT_BYTES = 4
MOST_ELEMENT_BYTES = 4096


def _architectures() -> Iterable[tuple[str, str]]:
    return [(name, row.name) for row in banks.ARCHITECTURES for name in row.devices]


@subcommand(
    "quiz banks 'threadIdx.x * 2'",
    "quiz banks 'tile[threadIdx.x][threadIdx.y]' --block 32x8 --tile 32x33",
    "quiz banks 'tile[threadIdx.x][threadIdx.y]' --block 32x8 --tile 32x32 --search",
    "quiz banks 'lane * 4' --width 16 --op store --arch 8.0 --mask 0xffff",
    "quiz banks --trace accesses.csv --json",
    element=ELEMENT_BYTES,
    arch=DEFAULT_ARCH,
)
@click.argument("expression", required=False)
@click.option("--elem", type=Integer(1, MOST_ELEMENT_BYTES), metavar="BYTES")
@click.option("--width", type=Integer(1), metavar="BYTES")
@click.option("--op", type=OneOf(get_args(Op), case_sensitive=False))
@click.option("--block", metavar="XxYxZ")
@click.option("--tile", metavar="RxC")
@click.option("--mask", metavar="BITS")
@click.option("--arch", type=Named("arch", _architectures), default=DEFAULT_ARCH)
@click.option("--search", is_flag=True)
@click.option("--why", is_flag=True)
@click.option("--trace", type=click.Path(allow_dash=True, path_type=Path), metavar="FILE")
@html_option
@overwrite_option
@json_option
def command(
    *, expression: str | None, elem: int | None, width: int | None, op: Op | None,
    block: str | None, tile: str | None, mask: str | None, arch: str, trace: Path | None,
    search: bool, why: bool, html: Path | None, overwrite: bool, as_json: bool,
) -> int:  # fmt: skip
    """Analyze the access of an expression, or recorded ones."""
    if trace is not None:
        _check_alone(
            {
                "EXPRESSION": expression, "--elem": elem, "--width": width, "--op": op,
                "--block": block, "--tile": tile, "--mask": mask, "--search": search or None,
                "--why": why or None, "--html": html,
            }
        )  # fmt: skip
        return _print_recorded(trace, arch, as_json=as_json)
    if expression is None or not expression.strip():
        raise UsageError(fact("analysis.nothing"))
    check_free(html, overwrite=overwrite)
    query = accesses.AccessQuery(
        source=expression,
        op=op or "load",
        element=elem or ELEMENT_BYTES,
        width=width,
        block=shapes.read_block(block or "32"),
        tile=None if tile is None else shapes.read_tile(tile),
        mask=shapes.ALL_LANES if mask is None else shapes.read_mask(mask),
        arch=arch,
    )
    return _print_analysis(query, html, searching=search, why=why, as_json=as_json)


def _check_alone(given: Mapping[str, object]) -> None:
    """Check that no other option is given with --trace. Raises UsageError: one is."""
    options = tuple(
        name for name, value in given.items() if value is not None and value is not False
    )
    if options:
        raise UsageError(fact("analysis.trace-alone", options=options))


def _print_analysis(
    query: accesses.AccessQuery, html: Path | None, *, searching: bool, why: bool, as_json: bool
) -> int:
    """Analyze an expression, and search a layout if that is wanted."""
    analysis = accesses.analyze(query)
    search = accesses.search_layouts(analysis) if searching else None
    say = Words(person_language())
    if html is not None:
        write_file(html, pages.access_page(analysis, search, say, why=why), say)
    if as_json:
        plain = report.access_as_plain(analysis)
        if search is not None:
            plain["search"] = report.search_as_plain(analysis, search)
        print_json(plain)
        return OK
    print_lines(report.access_lines(analysis, room(), say, why=why))
    if search is not None:
        print_lines(report.search_lines(analysis, search, say))
    return OK


def _print_recorded(file: Path, arch: str, *, as_json: bool) -> int:
    say = Words(person_language())
    recorded = recorded_accesses.analyze_file(file, arch)
    for line in recorded.invalid:
        note(f"{file}:{line.line}: {say.in_line(line.what)}")
    if as_json:
        print_json(report.recorded_as_plain(recorded, arch))
    else:
        print_lines(report.recorded_lines(recorded, say))
    return FINDINGS if recorded.invalid else OK
