"""`quiz schema`: prints the JSON Schema that editors complete and check question files with."""

from __future__ import annotations

from quizapp.commands._output import print_json
from quizapp.commands._shared import subcommand
from quizapp.deck.schema import schema


@subcommand("Print the JSON Schema of a question file.", "quiz schema")
def command() -> None:
    """It is made from the types that validate questions.

    `quiz new` writes it beside the file, and a first line that tells the editor where it is.
    """
    print_json(schema())
