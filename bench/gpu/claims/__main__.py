"""`python -m bench.gpu.claims`: measure again what is said to be measured, record it, compare.

`run` needs a GPU with nvcc, ncu, cuobjdump and compute-sanitizer beside it; `compare` nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.gpu.claims import said
from bench.gpu.claims.figures import RECORDED, Figure, load, save


def main() -> int:
    """The exit status: 0, or 1 if an experiment failed or a sentence says another figure."""
    asked = _arguments()
    done: bool = asked.do(asked)
    return 0 if done else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.claims", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="every experiment (GPU)")
    run.add_argument("out", type=Path, help="folder for what was found")
    for flag, what in (("--only", "only experiments"), ("--skip", "without those")):
        help_ = f"{what} whose name begins so; may be given again"
        run.add_argument(flag, action="append", default=[], metavar="NAME", help=help_)
    help_ = "of the kernel questions only those whose speed is not recorded"
    run.add_argument("--new", action="store_true", help=help_)
    run.set_defaults(do=_run)
    recording = commands.add_parser("record", help="what `run` found, as the figures to be held to")
    recording.add_argument("found", type=Path, nargs="+", help="folders that `run` filled")
    help_ = "keep what is recorded and was not found now"
    recording.add_argument("--add", action="store_true", help=help_)
    recording.set_defaults(do=_record)
    comparison = commands.add_parser("compare", help="what texts say beside what was found")
    comparison.add_argument("figures", type=Path, nargs="?", default=RECORDED)
    comparison.set_defaults(do=_compare)
    return parser.parse_args()


def _run(asked: argparse.Namespace) -> bool:
    from bench.gpu.claims.run import run  # noqa: PLC0415 - Numba, which the other commands do without

    asked.out.mkdir(parents=True, exist_ok=True)
    recorded = load().values() if asked.new else ()
    known = {one.case for one in recorded if one.what == "times the baseline"}
    return run(asked.out, asked.only, asked.skip, known)


def _record(asked: argparse.Namespace) -> bool:
    # Of a later folder where an earlier one has it, too.
    figures: dict[str, Figure] = load() if asked.add else {}
    for folder in asked.found:
        figures |= load(folder / "claims.csv")
    save(RECORDED, figures.values())
    return _compare(argparse.Namespace(figures=RECORDED))


def _compare(asked: argparse.Namespace) -> bool:
    rows = list(said.compare(said.sayings(), load(asked.figures)))
    differ = sum(not row.agree for row in rows)
    lines = [*said.table(rows), *said.count(rows), f"{len(rows)} figures of texts, {differ} differ"]
    print("\n".join(lines))
    return not differ


if __name__ == "__main__":
    sys.exit(main())
