"""`quiz schema`: prints the JSON Schema that editors complete and check question files with."""

from __future__ import annotations

from quizapp.commands.common.help import subcommand
from quizapp.commands.common.output import print_plain
from quizapp.deck.writing.schema import schema


@subcommand("quiz schema")
def command() -> None:
    """Print the schema, made from the types that validate questions.

    `quiz new` writes it beside the file, and a first line that tells the editor where it is.
    """
    print_plain(schema())
