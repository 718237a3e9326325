"""`quiz docs`: prints the documents that came with the program. Owns how a page is shown."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_table, room
from quizapp.commands.common.parameters import Named
from quizapp.domain.errors import UsageError
from quizapp.report import pages
from quizapp.report.words import Words
from quizapp.system import streams
from quizapp.system.language import person_language
from quizapp.system.paths import shipped_docs


def _pages() -> list[tuple[str, str]]:
    """List every page's name and title, by name."""
    return [(path.stem, _title(path)) for path in sorted(shipped_docs().glob("*.md"))]


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return lines.readline().removeprefix("#").strip()


@subcommand("quiz docs", "quiz docs authoring", "quiz docs gpu --path")
@click.argument("page", type=Named("page", _pages), required=False)
@click.option("--path", "as_path", is_flag=True)
@json_option
def command(*, page: str | None, as_path: bool, as_json: bool) -> None:
    """Print a document, its path, or the list."""
    if page is None:
        _list(as_json=as_json)
        return
    path = shipped_docs() / f"{page}.md"
    names = [name for name, _ in _pages()]
    if page not in names:
        raise UsageError(fact("docs.no-page", name=page), fact("docs.pages", names=(*names,)))
    if as_json:
        print_json({"page": page, "title": _title(path), "path": str(path)})
    elif as_path:
        print(path)
    elif streams.is_terminal():
        click.echo_via_pager(pages.lay_out(path.read_text(encoding="utf-8"), room()))
    else:
        sys.stdout.write(path.read_text(encoding="utf-8"))


def _list(*, as_json: bool) -> None:
    pages = _pages()
    if as_json:
        print_json({"pages": [{"page": name, "title": title} for name, title in pages]})
    else:
        say = Words(person_language())
        print_table([(name, say.get(f"docs.title.{name}", title)) for name, title in pages])
