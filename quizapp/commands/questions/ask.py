"""`quiz ask`: makes questions from a person's own program, with answers that were computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from msgspec.structs import replace

from grader.facts import fact
from grader.scripts import SourceLaunch
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import PATIENCE_SECONDS, note, print_json, show_progress
from quizapp.commands.common.parameters import Integer, Sizes
from quizapp.commands.common.surroundings import Surroundings, surroundings
from quizapp.commands.common.written_files import check_readable
from quizapp.deck.writing import own_code as written_code
from quizapp.deck.writing.own_code import MadeFrom, Written
from quizapp.domain.errors import UsageError
from quizapp.report.content import probes
from quizapp.report.verdicts import refusals
from quizapp.report.words import Words
from quizapp.study import own_code, reviewing
from quizapp.study.own_code import Asked, AskLimits
from quizapp.system.language import person_language

MOST = 10
"""Questions of a kernel."""
SECONDS = 120
"""What a program and the changes of its kernels may take."""


@subcommand(
    "quiz ask transpose.cu",
    "quiz ask train.py -- --size 64",
    "quiz ask add.cu --grid 8 --block 256 --args 'a=f32[2048]:random, n=2048'",
    "quiz ask kernel.py --grid 8 --block 256 --args 'a=f32[2048]:random, n=2048'",
    "quiz ask transpose.cu --review pull.diff",
    "quiz ask --update",
    most=MOST,
    seconds=SECONDS,
)
@click.argument("script", type=click.Path(path_type=Path), required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS...]")
@click.option("--kernel", default="", metavar="NAME")
@click.option("--grid", type=Sizes(), metavar="X[,Y[,Z]]")
@click.option("--block", type=Sizes(), metavar="X[,Y[,Z]]")
@click.option("--shared", type=Integer(min=0), metavar="BYTES")
@click.option("--args", "given", metavar="ARGS")
@click.option("--include", multiple=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--name", metavar="NAME")
@click.option("--most", type=Integer(min=1, max=50), default=MOST, metavar="N")
@click.option("--review", type=click.Path(path_type=Path), metavar="DIFF")
@click.option("--update", is_flag=True)
@click.option("--seconds", type=Integer(min=1), default=SECONDS, metavar="N")
@json_option
def command(
    script: Path | None, arguments: tuple[str, ...], *, kernel: str, grid: tuple[int, ...] | None,
    block: tuple[int, ...] | None, shared: int | None, given: str | None, include: tuple[Path, ...],
    name: str | None, most: int, review: Path | None, update: bool, seconds: int, as_json: bool,
) -> None:  # fmt: skip
    """Run a program, change its kernels, and write what that came to as questions."""
    where = surroundings()
    if script is None:
        if not update:
            raise UsageError(fact("usage.missing-argument", name="FILE"))
        _update_all(where, seconds, as_json=as_json)
        return
    _check(script, grid, block, given)
    if name is not None:
        written_code.check_name(name)
    if review is not None:
        reviewing.read_changed(review, script)  # before the program runs for some seconds
    own = name or written_code.name_of(script) + ("-review" if review is not None else "")
    path = written_code.file_of(where.paths.own_content, own)
    before = written_code.read_made(path)
    if path.exists() and not update:
        raise UsageError(fact("ask.exists", file=str(script), path=str(path)))
    folders = tuple(str(each.absolute()) for each in include)
    launch = SourceLaunch(kernel, grid, block, shared or 0, given, folders=folders)
    about = "" if review is None else str(review.absolute())
    made = MadeFrom(own, str(script.absolute()), launch, arguments, most=most, review=about)
    if before is not None and (launch, arguments) == (SourceLaunch(), ()):
        made = replace(made, launch=before.launch, arguments=before.arguments)
    _print([_make(where, made, script, seconds)], as_json=as_json)


def _check(
    script: Path, grid: tuple[int, ...] | None, block: tuple[int, ...] | None, given: str | None
) -> None:
    """Check that there is a file, and that a launch is given as a whole.

    Arguments alone are those of a host function such as `solve`, which launches.

    Raises UsageError: it is not.
    """
    check_readable(script, fact("profile.name-script"))
    if len({value is None for value in (grid, block)}) > 1 or (grid and given is None):
        raise UsageError(fact("ask.partial-launch"))


def _update_all(where: Surroundings, seconds: int, *, as_json: bool) -> None:
    """Make the questions from every program again that has changed."""
    every = list(written_code.find_made(where.paths.own_content))
    if not every:
        raise UsageError(fact("ask.nothing-made"))
    say = Words(person_language())
    results = []
    for made in every:
        file = Path(made.file)
        if not file.exists():
            note(say("ask.gone-file", file=file))
        elif own_code.digest(file.read_bytes()) != made.digest:
            results.append(_make(where, made, file, seconds))
    if not results and not as_json:
        print(say("ask.unchanged"))
    _print(results, as_json=as_json)


class _Made(NamedTuple):
    """What was made of one program."""

    made: MadeFrom
    asked: Asked
    written: Written


def _make(where: Surroundings, made: MadeFrom, file: Path, seconds: int) -> _Made:
    """Run a program and write its questions."""
    say = Words(person_language())
    source = file.read_bytes()
    with show_progress(after=PATIENCE_SECONDS) as show:

        def tell(kernel: str, done: int, total: int) -> None:
            making = say("ask.making", kernel=kernel, done=done + 1, total=total)
            show(making if kernel else say("ask.running", file=file))

        run = own_code.run_program(
            file, made.arguments, made.launch,
            prepare=refusals.preparation(say.language), limits=AskLimits(seconds, tell),
        )  # fmt: skip
    if run.was_interrupted:
        raise KeyboardInterrupt
    said = "" if run.timed_out else refusals.describe_end(run, file, say)
    if said:
        note(said)
    lines = reviewing.read_changed(Path(made.review), file) if made.review else None
    asked = own_code.choose_probes(run, file, made.launch.kernel, made.most, lines)
    if said:
        note(say("ask.ended"))
    if run.timed_out:
        note(say("ask.timed-out", seconds=seconds))
    made = replace(made, digest=own_code.digest(source))
    place = probes.ProbePlace(made.name, file.name)
    questions = probes.plain_questions(asked.kernels, place)
    written = written_code.write_questions(where.paths.own_content, made, questions)
    return _Made(made, asked, written)


def _print(results: list[_Made], *, as_json: bool) -> None:
    say = Words(person_language())
    if as_json:
        print_json({"programs": [_plain(result, say) for result in results]})
        return
    for made, asked, written in results:
        for each in asked.kernels:
            print(say("ask.kernel", kernel=each.kernel, n=len(each.probes)))
            if each.is_faulty:
                print(say("ask.faulty", kernel=each.kernel))
        for kernel, why in asked.skipped:
            print(say("ask.skipped", kernel=kernel, why=why))
        kept, new, gone = (len(names) for names in written[1:])
        n = kept + new
        print(say("ask.written", path=written.path, n=n, kept=kept, new=new, gone=gone))
        note(say("ask.next", topic=made.name))


def _plain(result: _Made, say: Words) -> dict[str, Any]:
    made, asked, written = result
    return {
        "name": made.name,
        "file": made.file,
        "questions": str(written.path),
        "kernels": [
            {
                "kernel": each.kernel,
                "line": each.line,
                "trivial": each.trivial,
                "probes": [msgspec.to_builtins(probe) for probe in each.probes],
            }
            for each in asked.kernels
        ],
        "skipped": [{"kernel": name, "why": say.fact(why)} for name, why in asked.skipped],
        "kept": list(written.kept),
        "new": list(written.new),
        "gone": list(written.gone),
    }
