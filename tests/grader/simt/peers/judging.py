"""Says what became of a test: passed, refused by the table, not the emulator's, or wrong.

A refusal counts as one only if docs/emulator.md lists it (`NOT_RUN`, and what is refused of the
host's side). What a test asks that is not about running kernels is decided by the rules below: by
the name that was refused, and, where an assertion failed, by what the test's own source asks for.
"""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from grader.simt.numba.refused import NOT_RUN
from tests.grader.simt.peers import innards

_LONGEST = 160


class Verdict(NamedTuple):
    """What became of a test.

    Attributes:
        outcome: "passed", "refused", "outside" (not the emulator's), "skipped" or "wrong".
        reason: why it is refused or outside: a code, or a category of `RULES` or `ASKED`.
        message: the first line of what it said.
    """

    outcome: str
    reason: str = ""
    message: str = ""


LISTED = re.compile(
    r"not-emulated\.|No matching definition|EmulatedArray.__init__|(datetime|timedelta)64|"
    r"global-type \(.* type=\w+Type\)|"
    r"python\.no-elements \(type=(<U|\|S|datetime|timedelta|<M|<m|V)"
)
"""What docs/emulator.md lists beside `NOT_RUN`."""
EXTENSIONS = "extending the compiler"
INNARDS = "the compiler's innards"
WORDS = "the words of an error"
"""A test that an error is said as Numba says it, where there is one here too."""
RULES = (
    (
        "machine code",
        (
            r"not-emulated\.(machine-code|of-compiled-kernel)|"
            r"of-kernel \(name=(compile|inspect|get_|_compile|nopython|target|typing)|"
            r"name=(numba\.)?cuda\.(compile|codegen|compiler|nvvm|debuginfo|lowering)"
        ),
    ),
    ("linked code", r"not-emulated\.link|name=(numba\.)?cuda\.(declare_device|\w*Source|LTOIR)"),
    ("caching on disk", r"of-kernel \(name=(stats|_cache)"),
    ("the driver", r"name=[\w.]*\.?(cudadrv|core|bindings|pathfinder)\b"),
    (EXTENSIONS, r"\.(extending|typing|datamodel|models|lowering|cgutils)\b|^extends"),
    (
        INNARDS,
        (
            r"not-emulated \(name=numba[._]cuda|\.cuda\._internal\.|, not emulated>|Innard|"
            r"MRO entry|NotEmulated\(|determine Numba"
        ),
    ),
)
"""Categories of what is not the emulator's, by the refusal, or by the message that names it."""
ASKED = (
    ("warnings", r"catch_warnings\(record=True\)|assertWarns|pytest\.warns|warning_count"),
    (
        "the compiler's output",
        r"override_config\(.(DUMP|CUDA_DUMP)|traced|self\.capture|\bptx\b|\blto\b",
    ),
    ("what a device cannot", r"CUDA initialized before forking"),
    ("caching on disk", r"check_pycache|cache_contents|check_hits|overwrite the cache"),
    ("the driver", r"\bdriver\.|NUMBA_DISABLE_CUDA|init_failure|\bmock\b|\bpatch\("),
    (INNARDS, r"LAUNCH_CONFIG_LOG"),
)
"""Categories of what is not the emulator's, by the source of a test that failed in it."""
_CODE = re.compile(
    r"(?m)\b(?:not-emulated|python|simt|script|launch)\.[a-z][a-z-]+(?: \(.*\))?$|"
    r".*(?:, not emulated>|Innard|MRO entry|No matching definition|datetime64|python.not-emulate\[|"
    r"EmulatedArray.__init__|Cannot determine Numba type of|object is not subscriptable).*"
)
"""A refusal's code and fields, or a message that names what stands for innards."""
_REGISTERED = re.compile(r"(?:overload|register|type_callable|lower)\w*\(\s*(\w+)")
"""Functions and types that a test's file registers with real Numba."""
_EXPECTED = r"assertRaises|pytest\.raises"


def judge(
    error: BaseException | None,
    launches: Sequence[Any] = (),
    test: Callable[..., Any] | None = None,
    early: str = "",
) -> Verdict:
    """Return what became of a test.

    Args:
        error: how it ended; None if nothing was wrong.
        launches: what the session knows of its launches.
        test: its function.
        early: the code of what is not run of a kernel with a signature; a launch would refuse it.
    """
    ended = {one["kind"] for launch in launches for one in launch["findings"]}
    if "budget" in ended:
        return Verdict("refused", "budget", "a launch ran out of operations")
    if error is None:
        return Verdict("passed")
    said = f"{type(error).__name__}: {error}"
    if "Unexpected success" in said:
        return Verdict("passed", "", "expected to fail")
    if isinstance(error, ModuleNotFoundError):
        return Verdict("skipped", "", shown(said))
    source = _source_of(error, test)
    refusal = _refusal(error)
    if refusal:
        return _of_refusal(refusal, source, _file_of(test))
    asked = _asked(error, source)
    if early and not asked:
        return Verdict("refused", early, shown(said))
    return Verdict("outside" if asked else "wrong", asked, shown(said))


def _of_refusal(refusal: str, source: str, beside: str) -> Verdict:
    for category, pattern in RULES:
        if re.search(pattern, refusal):
            return Verdict("outside", category, shown(refusal))
    extended = innards.EXTENDED | {*_REGISTERED.findall(beside)}
    if extended & {*re.findall(r"\w+", refusal)}:
        return Verdict("outside", EXTENSIONS, shown(refusal))
    named = re.match(r"[a-z-]+\.[a-z-]+", refusal)
    code = named.group() if named else "arguments"
    if code in NOT_RUN or LISTED.search(refusal):
        return Verdict("refused", code, shown(refusal))
    if re.search(_EXPECTED, source):
        return Verdict("outside", WORDS, shown(refusal))
    return Verdict("wrong", code, shown(refusal))


def _refusal(error: BaseException) -> str:
    """Return the code and the fields of what was refused; "" if nothing was."""
    for one in _chain(error):
        output = getattr(one, "stderr", None) or getattr(one, "output", None) or ""
        text = output.decode(errors="replace") if isinstance(output, bytes) else str(output)
        found = _CODE.search(f"{one}\n{text}")
        if found:
            return found.group()
    return ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _asked(error: BaseException, source: str) -> str:
    """Return what of `ASKED` a failed test is about; never where NumPy compared values."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if any("/numpy/" in frame.f_code.co_filename for frame in frames):
        return ""
    if type(error).__module__.startswith("numba.core"):
        return EXTENSIONS  # real Numba's, of the CPU, which lacks what a test registers
    caught = [getattr(one, "exception", None) for frame in frames for one in _locals(frame)]
    if isinstance(error, AssertionError) and any(isinstance(one, Exception) for one in caught):
        return WORDS
    return next((category for category, text in ASKED if re.search(text, source)), "")


def _locals(frame: Any) -> list[Any]:
    return list(frame.f_locals.values())


def _source_of(error: BaseException, test: Callable[..., Any] | None) -> str:
    """Return the source of a test, and of the functions beside it that it was in."""
    file = inspect.getsourcefile(test) if test else None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    places = [frame.f_code for frame in frames if frame.f_code.co_filename == file]
    texts = []
    for one in [*filter(None, [test]), *places]:
        with suppress(OSError, TypeError):
            texts.append(inspect.getsource(one))
    return "\n".join(texts)


def _file_of(test: Callable[..., Any] | None) -> str:
    """Return the text of the file that a test stands in."""
    file = inspect.getsourcefile(test) if test else None
    return Path(file).read_text(encoding="utf-8") if file else ""


def shown(message: str) -> str:
    """One line, without what differs from run to run."""
    line = " ".join(message.split())
    line = re.sub(r"(/[^\s/:'\"]+)+/", "", line)
    return re.sub(r"0x[0-9a-f]+", "0x…", line)[:_LONGEST]
