"""`quiz pack`: lists packs and their topics, adds, removes, and exports packs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import announce_wait, note, print_json, print_table
from quizapp.commands.common.parameters import OneOf
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.commands.common.written_files import check_folder, check_free, overwrite_option
from quizapp.deck.installing import pack_installing
from quizapp.deck.writing import mistake_folding
from quizapp.domain.errors import UsageError
from quizapp.report.content import packs as pack_report
from quizapp.report.words import Words
from quizapp.study import packs
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.commands.common.surroundings import Surroundings

_ARGUMENTS = {
    "list": (0, 0), "topics": (0, 1), "add": (1, 1), "remove": (1, 1), "export": (2, 2),
    "fold": (1, 1),
}  # fmt: skip
"""How many arguments each action takes, at least and at most."""
_NEEDS = {
    "add": fact("pack.usage-add"),
    "remove": fact("pack.usage-remove"),
    "export": fact("pack.usage-export"),
    "fold": fact("pack.usage-fold"),
}
"""What is said if they are missing."""
_QUESTIONS_COLUMN, _TOPIC_QUESTIONS_COLUMN = 4, 3


class _Call(NamedTuple):
    """What was asked for, and where."""

    where: Surroundings
    arguments: tuple[str, ...]
    name: str
    folder: str
    overwrite: bool
    as_json: bool
    say: Words


@subcommand(
    "quiz pack list",
    "quiz pack topics tensor-cores",
    "quiz pack add ~/Downloads/reductions.zip",
    "quiz pack add https://example.org/gpu/reductions.git",
    "quiz pack add git@example.org:gpu/packs.git --folder packs/reductions",
    "quiz pack remove reductions",
    "quiz pack export reductions reductions.zip",
    "quiz pack fold ~/packs/reductions",
)
@click.argument("action", type=OneOf(tuple(_ARGUMENTS)), default="list")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PACK] [FILE]")
@click.option("--name", metavar="NAME", default="")
@click.option("--folder", metavar="FOLDER", default="")
@overwrite_option
@json_option
def command(
    action: str,
    arguments: tuple[str, ...],
    *,
    name: str,
    folder: str,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Do one of the six."""
    _check_arguments(action, arguments, name, folder)
    where, say = surroundings(), Words(person_language())
    call = _Call(where, arguments, name, folder, overwrite, as_json, say)
    act = {
        "list": _list, "topics": _topics, "add": _add, "remove": _remove, "export": _export,
        "fold": _fold,
    }  # fmt: skip
    act[action](call)


def _check_arguments(action: str, arguments: tuple[str, ...], name: str, folder: str) -> None:
    """Check the number of arguments, and that the options belong to the action.

    Raises UsageError: they do not.
    """
    see = fact("usage.see-help", command="quiz pack")
    least, most = _ARGUMENTS[action]
    if len(arguments) < least:
        raise UsageError(_NEEDS[action], see)
    if len(arguments) > most:
        rest = " ".join(arguments[most:])
        raise UsageError(fact("usage.extra-arguments", text=rest), see)
    if action != "add" and (name or folder):
        option = "--name" if name else "--folder"
        raise UsageError(fact("pack.only-add", option=option), see)


def _list(call: _Call) -> None:
    found = packs.list_packs(read_deck(call.where), call.where.paths, call.where.settings)
    if call.as_json:
        print_json({"packs": [pack_report.pack_as_plain(pack) for pack in found]})
    else:
        rows = list(pack_report.pack_rows(found, call.say))
        print_table(rows, right=(_QUESTIONS_COLUMN,))


def _topics(call: _Call) -> None:
    deck = read_deck(call.where)
    chosen = [deck.find_pack(name) for name in call.arguments] or list(deck.packs)
    found = packs.list_topics(deck, chosen)
    if call.as_json:
        print_json({"topics": [pack_report.topic_as_plain(each) for each in found]})
    else:
        print_table(list(pack_report.topic_rows(found, call.say)), right=(_TOPIC_QUESTIONS_COLUMN,))


def _add(call: _Call) -> None:
    paths, say, (source,) = call.where.paths, call.say, call.arguments
    deck = read_deck(call.where)
    with announce_wait(say("pack.adding")):
        added = pack_installing.add_pack(source, deck, paths, name=call.name, folder=call.folder)
    _record(call, "pack add", questions=added.questions)
    if call.as_json:
        print_json(
            {
                "pack": added.name,
                "folder": str(added.folder),
                "questions": added.questions,
                "left_out": added.left_out,
                "kernels": added.kernels,
            }
        )
        return
    questions = say("count.questions", n=added.questions)
    note(say("pack.added", pack=added.name, questions=questions))
    if added.left_out:
        note(say("pack.left-out", n=added.left_out, folder=str(added.folder)))
    if added.kernels:
        note(say("pack.needs-consent", n=added.kernels, pack=added.name))
    print(added.folder)


def _remove(call: _Call) -> None:
    (name,) = call.arguments
    aside = pack_installing.remove_pack(name, read_deck(call.where), call.where.paths)
    _record(call, "pack remove")
    if call.as_json:
        print_json({"pack": name, "folder": str(aside)})
        return
    note(call.say("pack.removed", pack=name))
    print(aside)


def _export(call: _Call) -> None:
    name, file = call.arguments
    target = check_folder(Path(file).absolute())
    check_free(target, overwrite=call.overwrite)
    deck = read_deck(call.where)
    exported = pack_installing.export_pack(name, target, deck, call.where.paths)
    size = target.stat().st_size
    _record(call, "pack export", questions=exported.questions)
    if call.as_json:
        print_json({"path": str(target), "questions": exported.questions, "bytes": size})
        return
    questions = call.say("count.questions", n=exported.questions)
    note(call.say("pack.exported", pack=name, questions=questions))
    if exported.changed:
        note(call.say("pack.changes-left", n=exported.changed))
    print(target)


def _fold(call: _Call) -> None:
    folder = Path(call.arguments[0]).absolute()
    if not folder.is_dir():
        raise UsageError(fact("file.missing", file=str(folder)), _NEEDS["fold"])
    folded = mistake_folding.fold_mistakes(folder)
    _record(call, "pack fold", mistakes=folded.edits)
    if call.as_json:
        print_json({"edits": folded.edits, "files": folded.files, "lines": folded.lines})
        return
    note(call.say("pack.folded", n=folded.edits, files=folded.files, lines=folded.lines))


def _record(call: _Call, what: str, **counts: int) -> None:
    logs.set_up(call.where.paths.log)
    logs.record(what, **counts)
