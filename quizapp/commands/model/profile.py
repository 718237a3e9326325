"""`quiz profile`: runs CUDA kernels without a GPU, and explains their launches by line.

Those of a script in Python are launched by the script, one of a CUDA C++ source by options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from grader import profiles
from grader.facts import fact
from grader.scripts import NO_REFERENCE, NOT_AS_REFERENCE, SourceLaunch
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import note, print_json, print_json_rows, print_lines, room
from quizapp.commands.common.parameters import Integer, Sizes, html_option
from quizapp.commands.common.written_files import (
    OutputFile,
    check_free,
    check_readable,
    overwrite_option,
    write_file,
)
from quizapp.domain.errors import FINDINGS, INTERRUPTED, OK, SCRIPT, TERMINATED, UsageError
from quizapp.report import bankmap
from quizapp.report.lines import sentence
from quizapp.report.profile import comparison, kernels, nsight, plain, programs, remarks, text
from quizapp.report.profile import html as pages
from quizapp.report.profile import sarif as scanning
from quizapp.report.verdicts import refusals
from quizapp.report.words import Words
from quizapp.study import profiling
from quizapp.study.compiling import check_compiler, choose_code, code_of_old, compile_kernels
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from grader.profiles import (
        KernelPair,
        KernelProgram,
        LaunchRecord,
        LaunchReport,
        MeasuredKernel,
        RefusedFeature,
        ReportChange,
    )
    from quizapp.report.lines import Line
    from quizapp.study.compiling import ScriptKernel
    from quizapp.study.profiling import ScriptRun


class ReportOutput(NamedTuple):
    """Where a report goes and how.

    Attributes:
        html, sarif: files to write, too.
        line: the only line to show.
        width: columns; None for those of the terminal.
        as_json, json_lines: data in place of text.
        github: annotations below the text.
    """

    html: Path | None
    sarif: Path | None
    line: int | None
    width: int | None
    as_json: bool
    json_lines: bool
    github: bool

    @property
    def is_data(self) -> bool:
        """True if standard output is for a program."""
        return self.as_json or self.json_lines

    def check(self) -> None:
        """Check that standard output is for one reader. Raises UsageError: it is for two."""
        if self.is_data and self.github:
            raise UsageError(fact("profile.github-json"))
        if self.as_json and self.json_lines:
            raise UsageError(fact("profile.json-twice"))


class Additions(NamedTuple):
    """What options add to a report; None for what no option asked for.

    Attributes:
        change: since an older report.
        programs: the typed programs of the kernels.
        compiled: the kernels as the compiler has them.
        measured: what Nsight Compute measured, beside the launches.
        on_cpu: libraries that ran on the CPU; they need no option.
    """

    change: ReportChange | None
    programs: tuple[KernelProgram, ...] | None
    compiled: list[ScriptKernel] | None
    measured: tuple[KernelPair, ...] | None
    on_cpu: tuple[str, ...] = ()

    def lines(self, say: Words) -> Iterator[Line]:
        """Show what is of the kernels, below the launches."""
        if self.on_cpu:
            yield ()
            yield sentence(say("profile.on-cpu", names=self.on_cpu), "dim")
        yield from programs.lines(self.programs or (), say)
        yield from kernels.lines(self.compiled or (), say)
        yield from nsight.lines(self.measured or (), say)

    def as_plain(self, say: Words) -> dict[str, Any]:
        """Return what there is, as plain data."""
        plain: dict[str, Any] = {"on_cpu": list(self.on_cpu)} if self.on_cpu else {}
        if self.change is not None:
            plain["against"] = comparison.comparison_as_plain(self.change, say)
        if self.programs is not None:
            plain["programs"] = [programs.as_plain(found) for found in self.programs]
        if self.compiled is not None:
            plain["compiled"] = [kernels.as_plain(found) for found in self.compiled]
        if self.measured is not None:
            plain["nsight"] = [nsight.as_plain(pair) for pair in self.measured]
        return plain


class AdditionOptions(NamedTuple):
    """What is asked for beside the report.

    Attributes:
        old: the launches of an older script, or of its report.
        measured: what Nsight Compute measured.
        compiles: whether kernels are compiled.
        show_program: whether typed programs are shown.
    """

    old: tuple[LaunchRecord, ...] | None
    measured: tuple[MeasuredKernel, ...] | None
    compiles: bool
    show_program: bool

    def add(self, run: ScriptRun, report: LaunchReport, shown: Selection) -> Additions:
        """Find what is asked for in what a script did."""
        old, measured = self.old, self.measured
        return Additions(
            None if old is None else profiles.compare_reports(shown.report(old), report),
            programs.select(run.programs, report) if self.show_program else None,
            compile_kernels(run.kernels, shown.kernel) if self.compiles else None,
            None if measured is None else shown.pair(measured, run.launches),
            run.on_cpu,
        )


class LaunchOptions(NamedTuple):
    """The options that only a source takes, of which a kernel is launched."""

    grid: tuple[int, ...] | None
    block: tuple[int, ...] | None
    cluster: tuple[int, ...] | None
    shared: int | None
    arguments: str | None
    check: Path | None
    more: tuple[Path, ...]
    include: tuple[Path, ...]
    define: tuple[str, ...]

    def launch_one(self, script: Path, arguments: tuple[str, ...]) -> bool:
        """Return True if they say how the only kernel is launched.

        `script`: a source, or a script, which takes none of them. `arguments`: of the script; a
        source takes none if a kernel of it is launched.

        Raises UsageError: something is given that the file does not take.
        """
        if not profiling.is_source(script):
            self._check_unused(script)
            return False
        launched = any(value is not None for value in (self.grid, self.block, self.arguments))
        if launched and arguments:
            raise UsageError(fact("profile.source-arguments", text=" ".join(arguments)))
        return launched

    def _check_unused(self, script: Path) -> None:
        """Check that a script is given nothing but a reference."""
        names = {"arguments": "args", "more": "with"}
        for name, value in self._asdict().items():
            if value not in (None, ()) and name != "check":
                option = f"--{names.get(name, name)}"
                raise UsageError(fact("profile.source-only", option=option, file=str(script)))

    def make_launch(self, kernel: str) -> SourceLaunch:
        """Return the launch that they say. Raises UsageError: a macro has no name."""
        return SourceLaunch(
            kernel, self.grid, self.block, self.shared or 0, self.arguments,
            _absolute(self.more), _absolute(self.include), tuple(map(_read_define, self.define)),
            None if self.check is None else str(self.check.absolute()), self.cluster,
        )  # fmt: skip


class Selection(NamedTuple):
    """Which launches are shown: those of a kernel, or one by its number; "" and None: all."""

    kernel: str
    number: int | None

    def report(
        self, launches: tuple[LaunchRecord, ...], refused: RefusedFeature | None = None
    ) -> LaunchReport:
        """Make a report on what is shown of these."""
        return profiles.make_report(launches, refused, kernel=self.kernel, number=self.number)

    def pair(
        self, measured: tuple[MeasuredKernel, ...], launches: tuple[LaunchRecord, ...]
    ) -> tuple[KernelPair, ...]:
        """Pair what was measured with what is shown of these."""
        pairs = profiles.pair_kernels(measured, launches)
        if self.kernel:
            pairs = tuple(pair for pair in pairs if pair.kernel.name == self.kernel)
        if self.number is not None:
            pairs = tuple(pair for pair in pairs if pair.launch is launches[self.number - 1])
        return pairs


@subcommand(
    "quiz profile transpose.py",
    "quiz profile reduce.py -- --size 4096",
    "quiz profile transpose.py --kernel transpose --line 19",
    "quiz profile transpose.py --against old.py",
    "quiz profile transpose.cu --ncu report.csv",
    "quiz profile solve.cu --check reference.py",
    "quiz profile add.cu --grid 8 --block 256 --args 'a=f32[2048]:random, n=2048'",
    "quiz profile solve.cu --args 'a=f32[64]:random, out=f32[64], n=64' --ptx",
    "quiz profile program.cu --ptx --against program.cu",
    "quiz profile kernel.ptx --grid 8 --block 256 --args 'param_0=f32[2048], param_1=2048'",
    "quiz profile search.py --budget 1000000000 --json",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS...]")
@click.option("--allow-race", multiple=True, metavar="[FILE:]LINE")
@click.option("--against", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--ncu", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--budget", type=Integer(min=1), metavar="N")
@click.option("--kernel", default="", metavar="NAME")
@click.option("--grid", type=Sizes(), metavar="X[,Y[,Z]]")
@click.option("--block", type=Sizes(), metavar="X[,Y[,Z]]")
@click.option("--cluster", type=Sizes(), metavar="X[,Y[,Z]]")
@click.option("--shared", type=Integer(min=0), metavar="BYTES")
@click.option("--args", "given", metavar="ARGS")
@click.option("--check", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--with", "more", multiple=True, type=click.Path(path_type=Path), metavar="FILE")
@click.option("--include", multiple=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("-D", "--define", multiple=True, metavar="NAME[=VALUE]")
@click.option("--launch", type=Integer(min=1), metavar="N")
@click.option("--line", type=Integer(min=1), metavar="N")
@click.option("--width", type=Integer(min=40), metavar="N")
@click.option("--ptx", is_flag=True)
@click.option("--source", "as_source", is_flag=True)
@click.option("--compile", "compiles", is_flag=True)
@click.option("--show-program", is_flag=True)
@html_option
@click.option("--sarif", type=OutputFile(".sarif", ".json", dir_okay=False), metavar="FILE")
@overwrite_option
@click.option("--github", is_flag=True)
@json_option
@click.option("--json-lines", is_flag=True)
def command(
    script: Path, arguments: tuple[str, ...], *, allow_race: tuple[str, ...], against: Path | None,
    ncu: Path | None, budget: int | None, kernel: str, grid: tuple[int, ...] | None,
    block: tuple[int, ...] | None, cluster: tuple[int, ...] | None, shared: int | None,
    given: str | None, check: Path | None, more: tuple[Path, ...], include: tuple[Path, ...],
    define: tuple[str, ...], launch: int | None, line: int | None, width: int | None, ptx: bool,
    as_source: bool, compiles: bool, show_program: bool, html: Path | None, sarif: Path | None,
    overwrite: bool, github: bool, as_json: bool, json_lines: bool,
) -> int:  # fmt: skip
    """Run a script or a CUDA C++ kernel on the emulator and show its launches."""
    output = ReportOutput(html, sarif, line, width, as_json, json_lines, github)
    output.check()
    reads = choose_code(script, ptx=ptx, as_source=as_source)
    check_free(html, sarif, overwrite=overwrite)
    for file in filter(None, (script, against, check, *more)):
        check_readable(file, fact("profile.name-script"))
        if file.suffix == ".ipynb":
            raise UsageError(fact("profile.notebook", file=str(file)))
    if ncu is not None:
        check_readable(ncu, fact("nsight.record"))
    measured = None if ncu is None else profiling.read_measured(ncu)
    options = LaunchOptions(grid, block, cluster, shared, given, check, more, include, define)
    shown = Selection("" if options.launch_one(script, arguments) else kernel, launch)
    say = Words(person_language())
    run_script = partial(
        profiling.run_script, arguments=arguments, budget=budget,
        launch=options.make_launch(kernel), allowed=[_read_line(line) for line in allow_race],
        prepare=_preparation(script, say, compiles=compiles, show_program=show_program),
    )  # fmt: skip
    run_old = partial(run_script, reads=code_of_old(against, script, reads))
    old = None if against is None else _old_launches(against, run_old, say)
    run = run_script(script, quiet=output.is_data, reads=reads)
    _check_selection(run.launches, shown)
    ended_by = 0 if run.was_interrupted else max(0, -run.status)
    report = replace(shown.report(run.launches, run.refused), signal=ended_by)
    added = AdditionOptions(old, measured, compiles, show_program).add(run, report, shown)
    _show_report(report, added, script, output, say)
    _note_incomplete(run, script, budget, say)
    return _status(run, report, script, say)


def _note_incomplete(run: ScriptRun, script: Path, budget: int | None, say: Words) -> None:
    """Say that nothing was launched, or that the budget ended a launch."""
    if not run.launches and run.status == OK and run.has_report:
        is_source = profiling.is_source(script)
        form = "kernel<<<blocks, threads>>>(…)" if is_source else "kernel[blocks, threads](…)"
        note(say("profile.no-launch", launch=form))
    kinds = {finding.kind for launch in run.launches for finding in launch.findings}
    if budget is not None and "budget" in kinds:
        note(say("profile.budget", n=budget))


def _show_report(
    report: LaunchReport, added: Additions, script: Path, output: ReportOutput, say: Words
) -> None:
    """Write the files that are wanted, and print it.

    Raises UsageError: it has nothing about the only line to show.
    """
    _check_line(report, output.line)
    if output.html is not None:
        page = pages.report_page(report, script, say, added.lines(say), added.change)
        write_file(output.html, page, say)
    if output.sarif is not None:
        write_file(output.sarif, scanning.sarif_document(report, say), say)
    if output.json_lines:
        print_json_rows(plain.report_as_rows(report, added.as_plain(say), say), plain.FORMAT)
    elif output.as_json:
        print_json(plain.report_as_plain(report, say) | added.as_plain(say), plain.FORMAT)
    elif added.change is not None:
        print_lines(comparison.comparison_lines(report, added.change, script, say))
    else:
        columns = output.width or room()
        print_lines(text.report_lines(report, script, columns, say, line=output.line), columns)
    if not output.is_data:
        print_lines(added.lines(say), output.width)
    if output.github:
        print(*remarks.github_lines(report, say), sep="\n")


def _preparation(script: Path, say: Words, *, compiles: bool, show_program: bool) -> str:
    """Return what Python runs before the script.

    Raises EnvironmentProblem: there is no compiler, and one is asked for.
    """
    parts = [refusals.preparation(say.language)]
    if show_program:
        parts.append(profiling.keep("programs"))
    if compiles:
        check_compiler("cuda" if profiling.is_source(script) else "python")
        parts.append(profiling.keep("kernels"))
    return "; ".join(parts)


def _absolute(files: tuple[Path, ...]) -> tuple[str, ...]:
    return tuple(str(file.absolute()) for file in files)


def _read_define(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`; without a value it is 1, as compilers have it.

    Raises UsageError: it begins with no name.
    """
    name, sign, value = text.partition("=")
    if not name.isidentifier():
        raise UsageError(fact("profile.no-define", text=text), fact("profile.define-hint"))
    return name, value if sign else "1"


def _read_line(text: str) -> tuple[str, int]:
    """Read `[FILE:]LINE`. Raises UsageError: it names no line."""
    file, _, line = text.rpartition(":")
    if not line.isdecimal() or not int(line):
        raise UsageError(fact("profile.no-line", text=text), fact("profile.name-line"))
    return file, int(line)


def _old_launches(
    file: Path, run_script: Callable[..., ScriptRun], say: Words
) -> tuple[LaunchRecord, ...] | None:
    """Return the launches of an older script, or of its report; None if it failed."""
    if file.suffix == ".json":
        return profiling.read_saved(file)
    run = run_script(file, quiet=True)
    if run.status != OK or not run.has_report:
        if run.refused is not None and profiling.is_source(file):
            note(refusals.mistake(run.refused, say))
        note(say("profile.old-failed", script=file, status=run.status))
        return None
    return run.launches


def _check_selection(launches: tuple[LaunchRecord, ...], shown: Selection) -> None:
    """Check that there is what is to be shown.

    Raises UsageError: no kernel of that name was launched, or there are fewer launches.
    """
    if not launches:
        return
    names = tuple(dict.fromkeys(launch.kernel for launch in launches))
    kernel, number = shown
    if kernel and kernel not in {*names, *(launch.qualname for launch in launches)}:
        raise UsageError(
            fact("profile.no-kernel", name=kernel), fact("profile.kernels", names=names)
        )
    if number is not None and number > len(launches):
        raise UsageError(fact("profile.no-launch-number", number=number, n=len(launches)))


def _check_line(report: LaunchReport, line: int | None) -> None:
    """Check that there is something about the only line to show.

    Raises UsageError: it did not run, and nothing was found at it.
    """
    records = [group.launch for group in report.groups]
    found = [finding for record in records for finding in record.findings]
    places = {at for one in found for at in (one.line, one.other_line) if at}
    places |= {ran.line for record in records for ran in record.lines}
    if line is not None and records and line not in places:
        lines = bankmap.format_lanes(sorted(places))
        raise UsageError(
            fact("profile.no-such-line", line=line), fact("profile.lines", lines=lines)
        )


def _status(run: ScriptRun, report: LaunchReport, script: Path, say: Words) -> int:
    """Say how the script ended, and return the exit status."""
    if run.was_interrupted:
        cut = bool(run.launches) and not run.launches[-1].finished
        note(say("profile.interrupted-launch") if cut else say("profile.interrupted"))
        return TERMINATED if run.status == TERMINATED else INTERRUPTED
    if run.status in (NOT_AS_REFERENCE, NO_REFERENCE) and run.has_report:  # which it has said
        return FINDINGS if run.status == NOT_AS_REFERENCE else SCRIPT
    if said := refusals.describe_end(run, script, say):
        note(said)
        return SCRIPT
    return FINDINGS if report.verdict.faulty else OK
