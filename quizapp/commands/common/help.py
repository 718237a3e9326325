"""Commands whose help is in the person's language: every text comes from the catalogue by key.

`help.due` is the command's line, `help.due.more` the text below it, `help.due.json` an option;
`help.any.json` is an option that several commands share, `help.metavar.topic` a word for a value.
Imports click and the catalogue's part for help, nothing else: `quiz --help` pays for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import cleandoc
from typing import Any

import click

from grader import facts
from quizapp.domain.errors import UsageError
from quizapp.report.commands_as_typed import as_typed
from quizapp.report.folding import columns, fold
from quizapp.report.words import Words
from quizapp.system.language import person_language

Callback = Callable[..., int | None]

_WORD = re.compile(r"[A-Z]{2,}")
_GAP = 2
"""Columns between an option and its help."""
_WIDEST_TERM = 30


class Formatter(click.HelpFormatter):
    """Folds by terminal columns, not by characters as click does: a Chinese one takes two."""

    def write_heading(self, heading: str) -> None:
        """Write a section's title, which brings its colon."""
        self.write(f"{'':{self.current_indent}}{heading}\n")

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line of usage, folded below the program's name."""
        start = f"{'':{self.current_indent}}{prefix or ''}{prog} "
        indent = " " * min(columns(start), self.width // 2)
        self.write("\n".join(fold(start + args, self.width, indent)) + "\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, each folded."""
        indent = " " * self.current_indent
        paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
        folded = ["\n".join(fold(indent + each, self.width, indent)) for each in paragraphs]
        self.write("\n\n".join(folded) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _WIDEST_TERM, col_spacing: int = _GAP
    ) -> None:
        """Write terms and what they mean in two columns."""
        listed = list(rows)
        widest = max(columns(term) for term, _ in listed)
        start = self.current_indent + min(widest, col_max) + col_spacing
        for term, meaning in listed:
            head = f"{'':{self.current_indent}}{term}"
            space = start - columns(head)
            head += "\n" + " " * start if space < col_spacing else " " * space
            lines = fold(meaning, self.width - start)
            self.write(head + f"\n{'':{start}}".join(lines) + "\n")


class Context(click.Context):
    """A context whose help is folded by `Formatter`."""

    formatter_class = Formatter


class Command(click.Command):
    """A command that says usage, options and examples in the person's language."""

    context_class = Context
    examples: Sequence[str] = ()
    fields: Mapping[str, Any] = {}
    """What the texts of this command have in `{fields}`."""

    more: str = ""
    """What the help says below the first line where the catalogue has no words for it."""

    def localize(self, name: str) -> None:
        """Take all texts from the catalogue; `name` is the command's in the keys."""
        say = Words(person_language())
        self.short_help = say(f"help.{name}")
        more = say.get(f"help.{name}.more", "").format(**self.fields) or self.more
        self.help = f"{self.short_help}\n\n{more}".strip()
        self.options_metavar = say("help.options-metavar")
        for parameter in self.params:
            if isinstance(parameter, click.Option):
                parameter.help = _option_help(say, name, parameter, self.fields)

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Return the same names in any context: click keeps the option that is asked for first."""
        return ["-h", "--help"]

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option `--help`, explained in the person's language."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = Words(person_language())("help.any.help")
        return option

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Collect what follows the command's name in the line of usage."""
        return [localize_words(piece) for piece in super().collect_usage_pieces(ctx)]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the line of usage."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, Words(person_language())("help.usage"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options with their help."""
        options = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
        records = (option.get_help_record(ctx) for option in options)
        rows = [(localize_words(record[0]), record[1]) for record in records if record is not None]
        with formatter.section(Words(person_language())("help.options")):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write whole command lines that show the command's use."""
        if self.examples:
            with formatter.section(Words(person_language())("help.examples")):
                formatter.write("".join(f"  {as_typed(example)}\n" for example in self.examples))


class Subcommand(Command):
    """A command without subcommands of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError: there are more than the command takes."""
        ctx.allow_extra_args = True  # click would refuse them in English
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # which click's parser leaves out
            raise
        if rest and not ctx.resilient_parsing:
            see = facts.fact("usage.see-help", command=ctx.command_path)
            raise UsageError(facts.fact("usage.extra-arguments", text=" ".join(rest)), see)
        return rest


def subcommand(*examples: str, **fields: Any) -> Callable[[Callback], Command]:
    """Declare a subcommand; its texts are in the catalogue.

    `examples`: whole command lines that show its use. `fields`: what its texts have in `{fields}`.
    """

    def declare(callback: Callback) -> Command:
        command = click.command(cls=Subcommand, help="")(callback)
        command.examples, command.fields = examples, fields
        command.more = cleandoc(callback.__doc__ or "")
        return command

    return declare


json_option = click.option("--json", "as_json", is_flag=True)
yes_option = click.option("--yes", is_flag=True)


def _option_help(say: Words, command: str, option: click.Option, fields: Mapping[str, Any]) -> str:
    name = option.opts[-1].lstrip("-")
    text = say.get(f"help.{command}.{name}", "") or say.get(f"help.any.{name}", "")
    return text.format(**fields) if text else option.help or ""


def localize_words(usage: str) -> str:
    """Translate the words in capitals that stand for values, such as TOPIC."""
    say = Words(person_language())
    return _WORD.sub(lambda word: say.get(f"help.metavar.{word[0].lower()}", word[0]), usage)
