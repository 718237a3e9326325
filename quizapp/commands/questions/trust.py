"""`quiz trust`: shows what a foreign pack would run, asks, and remembers the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader import confine
from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import subcommand, yes_option
from quizapp.commands.common.output import announce_wait, note, print_table
from quizapp.commands.common.parameters import PACK
from quizapp.commands.common.surroundings import Surroundings, read_deck, surroundings
from quizapp.deck.installing import consent
from quizapp.domain import question as domain_question
from quizapp.domain.errors import OK, UsageError
from quizapp.report import confinement
from quizapp.report.words import Words
from quizapp.system import trust
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck


class Code(NamedTuple):
    """What one question of a pack runs, by file, below a folder."""

    question: str
    folder: Path
    files: Mapping[str, str]
    digest: str
    agreed: bool


@subcommand(
    "quiz trust",
    "quiz trust reductions",
    "quiz trust reductions --code",
    "quiz trust reductions --yes",
    "quiz trust reductions --withdraw",
)
@click.argument("pack", type=PACK, required=False)
@click.option("--code", is_flag=True)
@click.option("--withdraw", is_flag=True)
@yes_option
def command(pack: str | None, *, code: bool, withdraw: bool, yes: bool) -> int:
    """List packs, show the code of one and ask, or withdraw consent."""
    where = surroundings()
    deck = read_deck(where)
    if pack is None:
        return _list(deck, where)
    found = _code(deck, where, pack)
    if withdraw:
        return _withdraw(pack, where)
    if code:
        _print_code(found)
        return OK
    say = Words(person_language())
    _show(pack, found, say)
    if all(each.agreed for each in found):
        note(say("trust.agreed-before", pack=pack))
        return OK
    if not yes:
        confirm(fact("trust.question"))
    trust.agree(where.paths, pack, (each.digest for each in found))
    questions = say("count.questions", n=len(found))
    note(say("trust.may-run", questions=questions, pack=pack))
    return OK


def _list(deck: Deck, where: Surroundings) -> int:
    """List packs that are not the person's, and whether they may run."""
    agreed = trust.read_trust(where.paths)
    waiting = consent.find_held_back(deck, agreed).packs
    packs = dict.fromkeys(
        entry.id.split("/", 1)[0] for entry in consent.foreign_questions(deck, agreed)
    )
    say = Words(person_language())
    rows = [(pack, _state(waiting.get(pack, 0), say)) for pack in packs]
    print_table(rows)
    if not rows:
        note(say("trust.all-yours"))
    return OK


def _state(waiting: int, say: Words) -> str:
    if not waiting:
        return say("trust.agreed")
    return say("trust.skipped", questions=say("count.questions", n=waiting))


def _code(deck: Deck, where: Surroundings, pack: str) -> list[Code]:
    """Collect what the foreign questions of a pack would run.

    Raises UsageError: there is nothing to agree to.
    """
    agreed = trust.read_trust(where.paths)
    found = []
    for entry in consent.foreign_questions(deck, agreed):
        question = deck.question(entry.id)
        if entry.id.split("/", 1)[0] == pack and isinstance(question, domain_question.Kernel):
            files, digest = trust.runnable(question), trust.digest(question)
            allowed = agreed.allows(entry.file, question)
            found.append(Code(entry.id, Path(entry.file).parent, files, digest, allowed))
    if found:
        return found
    packs = list(dict.fromkeys(name.split("/", 1)[0] for name in deck.entries))
    if pack in packs:
        raise UsageError(fact("trust.nothing", pack=pack))
    hint = suggest(pack, packs, fact("trust.packs", names=(*packs,)))
    raise UsageError(fact("deck.unknown-pack", pack=pack), hint)


def _withdraw(pack: str, where: Surroundings) -> int:
    known = trust.withdraw(where.paths, pack)
    say = Words(person_language())
    note(say("trust.withdrawn", pack=pack) if known else say("trust.not-agreed", pack=pack))
    return OK


def _show(pack: str, found: list[Code], say: Words) -> None:
    """Show the files with their sizes, what they can reach, and how to see them."""
    names = ("question", "file", "lines", "bytes")
    rows = [
        tuple(say(f"trust.column.{name}") for name in names),
        *(row for each in found for row in _rows(each)),
    ]
    print(say("trust.runs", pack=pack) + "\n")
    print_table(rows, right=(2, 3))
    print()
    with announce_wait(say("trust.trying")):
        lines = list(confinement.sentences(confine.probe(), say))
    print(say("trust.reference"))
    print(*lines, sep="\n")
    print(say("trust.on-gpu"))
    print("\n" + say("trust.see-code", pack=pack))
    for folder in dict.fromkeys(each.folder for each in found):
        print(f"  {folder}")


def _rows(code: Code) -> Iterator[tuple[str, str, str, str]]:
    for name, text in code.files.items():
        lines, size = len(text.splitlines()), len(text.encode())
        yield code.question, name, f"{lines:,}", f"{size:,}"


def _print_code(found: list[Code]) -> None:
    for code in found:
        for name, text in code.files.items():
            print(f"# {code.folder / name}\n{text.rstrip()}\n")
