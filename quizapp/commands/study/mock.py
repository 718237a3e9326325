"""`quiz mock`: a mock interview in the screens or line by line, the list of all, and reports."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import require_terminal
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_lines
from quizapp.commands.common.parameters import Integer, Named, OneOf
from quizapp.commands.common.screens import open_screens, with_rescue
from quizapp.commands.common.surroundings import Surroundings, open_progress, surroundings
from quizapp.commands.common.written_files import (
    OutputFile,
    check_free,
    overwrite_option,
    write_file,
)
from quizapp.deck.content import content_roots
from quizapp.domain.errors import OK, UsageError
from quizapp.domain.interview_theme import INTERVIEW_STYLES, InterviewStyle
from quizapp.domain.question import prose
from quizapp.plain import interview as plain_interview
from quizapp.plain import walkthrough as plain_walkthrough
from quizapp.plain.console import Console, Ended
from quizapp.report.studying import interview as interview_text
from quizapp.report.studying import interview_json, ratings, two_interviews
from quizapp.report.words import Words
from quizapp.study import home_values
from quizapp.study.mock import (
    interview,
    interview_report,
    interviews,
    shared_interview,
    walkthrough,
)
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quizapp.domain.log.interview import InterviewRecord
    from quizapp.study.mock.interview import Themes
    from quizapp.study.mock.interview_report import InterviewReport
    from quizapp.study.mock.interviews import InterviewWish
    from quizapp.study.mock.shared_interview import SharedInterview
    from quizapp.study.service import Study

_SHARED = ".json"
_ENDINGS = (".md", ".html", _SHARED)


@contextmanager
def _reading(where: Surroundings) -> Iterator[tuple[Study, Themes]]:
    """Open the study to be read, with the themes that it can ask."""
    with open_progress("mock", where, only_reading=True) as study:
        yield study, interviews.load_themes(study, content_roots(*where))


def _theme_names() -> list[tuple[str, str]]:
    where = surroundings()
    say = Words(person_language())
    with _reading(where) as (_, themes):
        return [(name, prose(theme.title, say.language)) for name, theme in themes.items()]


@subcommand(
    "quiz mock",
    "quiz mock transpose-at-a-third --style screen --minutes 30",
    "quiz mock --plain --resume",
    "quiz mock --list",
    "quiz mock --report 3 --answers",
    "quiz mock --report 3 --export report.html",
    "quiz mock --with ann.json",
)
@click.argument("theme", type=Named("theme", _theme_names), required=False)
@click.option("--minutes", type=Integer(min=5, max=240), metavar="N")
@click.option("--style", type=OneOf(INTERVIEW_STYLES))
@click.option("--resume", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--themes", "lists_themes", is_flag=True)
@click.option("--list", "lists", is_flag=True)
@click.option("--report", "number", type=Integer(min=1), metavar="N")
@click.option("--answers", is_flag=True)
@click.option("--export", type=OutputFile(dir_okay=False), metavar="FILE")
@click.option("--with", "other", type=click.Path(path_type=Path), metavar="FILE")
@overwrite_option
@json_option
def command(
    theme: str | None, minutes: int | None, style: str | None, number: int | None,
    export: Path | None, *, other: Path | None, answers: bool, overwrite: bool, resume: bool,
    plain: bool, lists_themes: bool, lists: bool, as_json: bool,
) -> int:  # fmt: skip
    """Hold an interview, or show what earlier ones came to."""
    where = surroundings()
    shared = None if other is None else shared_interview.read(other)
    if lists_themes or lists or number is not None or export is not None or as_json:
        if export is not None and export.suffix not in _ENDINGS:
            raise UsageError(fact("mock.not-a-report", path=str(export)))
        check_free(export, overwrite=overwrite)
        with _reading(where) as (study, themes):
            if lists_themes:
                _list_themes(study, themes, as_json=as_json)
            elif number is None and export is None:
                _list(study, themes, as_json=as_json)
            else:
                _report(study, themes, number, export, shared, as_json=as_json)
                if answers:
                    _show_answers(study, themes, number)
        return OK
    if shared is not None:
        if theme is not None or minutes is not None or style is not None:
            raise UsageError(fact("mock.with-decides"))
        with _reading(where) as (_, themes):
            shared_interview.check_known(shared, themes)
    chosen = cast("InterviewStyle | None", style)
    if plain:
        length = minutes or interviews.DEFAULT_MINUTES
        hold = partial(_hold, where, theme, length, chosen or "onsite", shared, resume=resume)
        status = with_rescue(where, hold)
    else:
        begun = None if shared is None else shared.begun
        status = _open(where, interviews.InterviewWish(theme, chosen, minutes, resume, again=begun))
    if shared is not None:
        _print_both(where, shared)
    return status


def _open(where: Surroundings, wish: InterviewWish) -> int:
    """Hold an interview in the screens."""
    require_terminal(fact("start.screen"), fact("mock.plain-instead"))
    if wish.theme is not None:
        with _reading(where) as (_, themes):
            interviews.find_theme(themes, wish.theme)
    return with_rescue(where, lambda: open_screens(where, home_values.Filter(), wish))


def _hold(
    where: Surroundings,
    theme: str | None,
    minutes: int,
    style: InterviewStyle,
    shared: SharedInterview | None,
    *,
    resume: bool,
) -> int:
    """Hold an interview line by line."""
    say, console = Words(where.settings.language), Console(sys.stdin, sys.stdout)
    with open_progress("mock --plain", where) as study:
        themes = interviews.load_themes(study, content_roots(*where))
        name = None if theme is None else interviews.find_theme(themes, theme)
        if resume:
            record = interviews.unfinished(study)
            if record is None:
                raise UsageError(fact("mock.nothing-to-resume"))
        else:
            try:
                record = plain_interview.ask_about_unfinished(study, sys.stdin, sys.stdout)
            except Ended:
                console.say(say("mock.left-open"))
                return OK
        if record is not None:
            going = interview.Interview(study, themes, record)
            console.say(say("mock.resumes", number=record.begun.earlier + 1))
        else:
            if shared is None:
                going = interviews.begin(study, themes, style, minutes, name)
            else:
                going = interviews.begin_again(study, themes, shared.begun)
            begun = going.record.begun
            console.say(say("mock.begins", style=say(f"mock.style.{begun.style}"), n=begun.minutes))
            console.say(ratings.scoring(say, asked=where.settings.confidence))
        console.say(say("plain.interview-commands"))
        return plain_interview.run(study, themes, going, sys.stdin, sys.stdout)


def _print_both(where: Surroundings, shared: SharedInterview) -> None:
    """Print both reports, if the other person's interview was held here as well."""
    with _reading(where) as (study, themes):
        record = shared_interview.find_same(shared, interview.records(study))
        if record is not None:
            found = interview_report.report(study, themes, record)
            print_lines(two_interviews.lines(found, shared, Words(where.settings.language)))


def _list_themes(study: Study, themes: Themes, *, as_json: bool) -> None:
    say = Words(person_language())
    if as_json:
        listed = [interview_json.theme_as_plain(theme, say) for theme in themes.values()]
        print_json({"themes": listed})
    else:
        print_lines(interview_text.theme_lines(themes.values(), say))


def _list(study: Study, themes: Themes, *, as_json: bool) -> None:
    found = interview_report.reports(study, themes)
    if as_json:
        print_json({"interviews": [interview_json.report_as_plain(each) for each in found]})
    else:
        print_lines(interview_text.list_lines(found, Words(person_language())))


def _report(
    study: Study,
    themes: Themes,
    number: int | None,
    export: Path | None,
    shared: SharedInterview | None,
    *,
    as_json: bool,
) -> None:
    say, record = Words(person_language()), _record(study, number)
    found = interview_report.report(study, themes, record)
    if export is not None and export.suffix == _SHARED:
        content = shared_interview.encode(record, interview_json.report_as_plain(found))
        write_file(export, content, say)
    elif export is not None:
        _export(found, study, export, say)
    elif as_json:
        print_json({"interview": interview_json.report_as_plain(found)})
    else:
        print_lines(interview_text.lines(found, study.deck, say))
        if shared is not None:
            print_lines(two_interviews.lines(found, shared, say))


def _show_answers(study: Study, themes: Themes, number: int | None) -> None:
    """Print every answer of an interview that is over, with what is right."""
    say, record = Words(person_language()), _record(study, number)
    if not record.is_asked_through:
        print(say("mock.withheld"))
        return
    going = walkthrough.Walkthrough(study, themes, record)
    plain_walkthrough.show_all(study, going, say, sys.stdout)


def _record(study: Study, number: int | None) -> InterviewRecord:
    """Return the interview with this number, or the latest."""
    if number is None:
        number = max(1, len(interview.records(study)))
    return interviews.find_record(study, number)


def _export(found: InterviewReport, study: Study, path: Path, say: Words) -> None:
    if path.suffix == ".md":
        content = interview_text.markdown(found, study.deck, say).encode()
    else:
        content = interview_text.html(found, study.deck, say)
    write_file(path, content, say)
