"""Runs a script as `python script.py` would, with the stand-in for `numba.cuda` in its way.

`grader.scripts` has the command that starts it; the launches are left in a file when it ends.
An error that ends the script comes with what to do about it: what to install, or what to give it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import numpy as np

from grader import lifeline
from grader.facts import Fact, fact
from grader.scripts import ADVISE, LOGS
from grader.simt.errors import DriverError, InvalidLaunch, SimtError
from grader.simt.host.children import Keeper, make_session, prepare
from grader.simt.host.library import install
from grader.simt.host.progress import saying_what_is_done
from grader.simt.host.session import ScriptSession
from grader.simt.host.streams import TIMELINE

_STAND_INS = ("numba", "numba_cuda", "numba_cuda_mlir")
_NEED_A_GPU = ("cudf", "cuml", "cupy", "cupyx", "pycuda", "rmm")
"""Libraries that work on a GPU alone, so that installing them helps nobody here."""
_OTHER_NUMPY = ("compiled using NumPy", "numpy.core.multiarray", "numpy.dtype size changed")
"""In what NumPy says of a module that was built for another major version."""

_NO_GPU = ("Torch not compiled with CUDA enabled", "Found no NVIDIA driver on your system")
"""In what PyTorch says where it needs a GPU, or a build for one."""


def explain(error: BaseException) -> Fact | None:
    """Return what to do about an error, where it is not one of the emulator's own."""
    text = str(error)
    if any(part in text for part in _NO_GPU):
        return fact("script.torch-gpu")
    if any(part in text for part in _OTHER_NUMPY):
        return fact("script.other-numpy", version=np.__version__, python=sys.executable)
    if isinstance(error, ImportError):
        return _explain_import(error, text)
    if isinstance(error, EOFError) and text == "EOF when reading a line":
        return fact("script.no-input")
    return None


def _explain_import(error: ImportError, text: str) -> Fact | None:
    if "relative import" in text:
        return fact("script.relative-import")
    root = (error.name or "").partition(".")[0]
    if root == "triton":
        return fact("script.triton")
    if root in _STAND_INS:
        return fact("script.not-in-emulator", name=root)
    if not isinstance(error, ModuleNotFoundError) or not root:
        return None
    if root in _NEED_A_GPU:
        return fact("script.needs-gpu", name=root)
    return fact("script.missing-module", name=root, python=sys.executable)


INTERRUPTED = 130
_OURS = str(Path(__file__).resolve().parents[2])


def main(first: str = "") -> int:
    """Run the script that `command` named, after a line of Python; return its exit status."""
    descriptor = lifeline.follow()
    report, options, script, *arguments = sys.argv[1:]
    session = make_session(json.loads(options))
    path = Path(report).resolve()
    keeper = Keeper(session, path, os.getpid())
    prepare(path, options, first)
    sys.argv[:] = [script, *arguments]
    del sys.path[0]  # where we were found
    if not sys.flags.safe_path:
        sys.path[0] = str(Path(script).resolve().parent)
    install(session)
    asked, check = (json.loads(options)[name] for name in ("launch", "check"))
    try:
        if check is not None:
            return _run_checked(Path(script).absolute(), session, check)
        if asked is None:
            return _run(Path(script).absolute(), session)
        asked |= {"lifeline": descriptor, "folder": str(path.parent)}
        status = _launch(Path(script).absolute(), arguments, session, asked)
    finally:
        if TIMELINE.timed:
            print(f"{Path(script).name}: {fact('script.times')}", file=sys.stderr, flush=True)
    return status if status >= 0 else _end_by(-status, keeper)


def _launch(path: Path, arguments: list[str], session: ScriptSession, asked: dict[str, Any]) -> int:
    """Run a CUDA C++ source, or launch a kernel of it; the parent process reports what is wrong."""
    from grader.simt.host.files.sources import run_source  # noqa: PLC0415 - scripts spare its 60 ms

    try:
        return run_source(path, arguments, session, asked)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return INTERRUPTED
    except SimtError as error:
        session.note_refusal(error)
        return 1
    except DriverError as error:
        print(error, file=sys.stderr)
        return 1
    except Exception as error:
        if os.environ.get("QUIZ_DEBUG"):
            raise
        _admit(error)
        return 1


def _run_checked(path: Path, session: ScriptSession, check: list[str]) -> int:
    """Run a script, and compare its launches with a reference: a file, and a kernel or ""."""
    # Scripts without a reference spare its 60 ms
    from grader.simt.host.files.checking import CheckFailed, say_failure  # noqa: PLC0415
    from grader.simt.host.files.script_check import ScriptCheck  # noqa: PLC0415

    try:
        judging = ScriptCheck(Path(check[0]), check[1], session)
    except CheckFailed as error:
        return say_failure(error)
    status = _run(path, session)
    return status or judging.finish()


def _admit(error: BaseException) -> None:
    """Say that an error is ours, and log where it was raised."""
    logs = [log(error) for log in LOGS]
    what = fact("error.internal", kind=type(error).__name__, log=", ".join(logs))
    said = [str(what), *(advise(InvalidLaunch(what)) for advise in ADVISE)]
    print("quiz:", "\n".join(filter(None, said)), file=sys.stderr)


def _is_ours(error: BaseException) -> bool:
    """Return True for an assertion that failed within the emulator, of which no script knows."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    is_assertion = isinstance(error, AssertionError) and not error.args
    where = "" if trace is None else trace.tb_frame.f_code.co_filename
    return is_assertion and where.startswith(_OURS)


def _end_by(number: int, keeper: Keeper) -> int:
    """End this process by the signal that ended a program."""
    keeper.save()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 1


def _run(path: Path, session: ScriptSession) -> int:
    module = ModuleType("__main__")
    module.__file__ = str(path)
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        with saying_what_is_done(fact("progress.script")) as session.begins:
            exec(code, module.__dict__)  # noqa: S102 - its duty
    except SystemExit:
        raise
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return INTERRUPTED
    except BaseException as error:
        if _is_ours(error) and not os.environ.get("QUIZ_DEBUG"):
            _admit(error)
            return 1
        if (what := explain(error)) is not None:
            error.add_note(str(what))
        for advise in ADVISE:
            if advice := advise(error):
                error.add_note(advice)
        session.note_refusal(error)
        _show(error)
        return 1
    return 0


def _show(error: BaseException) -> None:
    """Print an uncaught error as Python does; without QUIZ_DEBUG, without our and Triton's frames.

    An error of the emulator is a sentence of its own: its class says nothing about the script.
    """
    if sys.excepthook is not sys.__excepthook__:
        sys.excepthook(type(error), error, _script_frames(error.__traceback__))
        return
    shown = traceback.TracebackException.from_exception(error)
    if not os.environ.get("QUIZ_DEBUG"):
        _drop_frames(shown, (_OURS, *_find_triton()))
        if type(error).__module__ == "triton.compiler.errors":  # its text has the cause, and where
            shown.__cause__ = shown.__context__ = None
    text = "".join(shown.format())
    if type(error).__module__.startswith("grader."):
        text = text.replace(f"{type(error).__module__}.{type(error).__qualname__}: ", "")
    print(text, end="", file=sys.stderr)


def _script_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return trace


def _find_triton() -> tuple[str, ...]:
    """Return the folder of Triton, if the script has imported it."""
    file = getattr(sys.modules.get("triton"), "__file__", None)
    return () if file is None else (str(Path(file).parent),)


def _drop_frames(shown: traceback.TracebackException, folders: tuple[str, ...]) -> None:
    """Leave out the frames of files in some folders."""
    kept = [frame for frame in shown.stack or [] if not frame.filename.startswith(folders)]
    if kept:
        shown.stack[:] = kept
    else:  # of a SyntaxError: Python shows no frames
        shown.stack = None  # type: ignore[assignment]
    for other in (shown.__cause__, shown.__context__):
        if other is not None:
            _drop_frames(other, folders)
