"""`python -m bench.gpu`: run the kernels, count them with Nsight Compute, record, compare.

Kept apart from `python -m bench`, which times and needs no GPU.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.gpu import nsight, record


def main() -> int:
    """The exit status: 0, or 1 if a result is wrong, a cell differs, or `ncu` failed."""
    asked = _arguments()
    try:
        done: bool = asked.do(asked)
    except nsight.ProfilerFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0 if done else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="launch each kernel, and check its result (GPU)")
    run.add_argument("--sass", type=Path, metavar="FILE", help="write the machine code there")
    run.set_defaults(do=_run)
    count = commands.add_parser("count", help="the same under ncu (GPU)")
    count.add_argument("raw", type=Path, help="file for what ncu says")
    count.set_defaults(do=_count)
    recording = commands.add_parser("record", help="what ncu said, beside the emulator's counts")
    recording.add_argument("raw", type=Path, help="what `count` wrote")
    comparison = commands.add_parser("compare", help="the recording with the emulator of today")
    for command, do in ((recording, _record), (comparison, _compare)):
        command.add_argument("recording", type=Path, nargs="?", default=record.RECORDED)
        command.set_defaults(do=do)
    return parser.parse_args()


def _run(asked: argparse.Namespace) -> bool:
    from bench.gpu import device  # noqa: PLC0415 - Numba, which the other commands do without

    return device.run(asked.sass)


def _count(asked: argparse.Namespace) -> bool:
    from bench.gpu import device  # noqa: PLC0415 - as above

    nsight.profile(asked.raw, device.identity())
    return True


def _record(asked: argparse.Namespace) -> bool:
    before = record.load(asked.recording) if asked.recording.exists() else []
    record.save(asked.recording, record.read_cells(asked.raw.read_text("utf-8"), before))
    return _compare(asked)


def _compare(asked: argparse.Namespace) -> bool:
    cells = record.load(asked.recording)
    found = record.problems(cells)
    print("\n".join([*found, record.summary(cells)]))
    return not found


if __name__ == "__main__":
    sys.exit(main())
