"""`python -m bench.witnesses`: record what each witness says of the kernel questions.

python -m bench.witnesses run            on a GPU: launch each solution once
python -m bench.witnesses count FILE     on a GPU: the same under Nsight Compute
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from bench.gpu import nsight
from bench.witnesses import rows


def main() -> int:
    """The exit status: 0, or 1 if a result is wrong or `ncu` failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.witnesses", description=__doc__)
    parser.add_argument("do", choices=("run", "count", "record"))
    parser.add_argument("raw", type=Path, nargs="?", help="file for what ncu says")
    asked = parser.parse_args()
    if asked.do == "record":
        return _record(asked.raw)
    from bench.witnesses import device  # noqa: PLC0415 - Numba

    if asked.do == "run":
        return 0 if device.run() else 1
    try:
        command = ("-m", "bench.witnesses", "run")
        nsight.profile(asked.raw, device.identity(), command, nsight.MIX)
    except nsight.ProfilerFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _record(raw: Path | None) -> int:
    """Write all rows; what a person wrote in `why` is kept."""
    from bench.witnesses.record import record  # noqa: PLC0415 - the compiler, as above

    before = {(row.question, row.what): row.why for row in rows.load()}
    found = record(raw.read_text("utf-8") if raw else "")
    rows.save([replace(row, why=before.get((row.question, row.what), "")) for row in found])
    return 0


if __name__ == "__main__":
    sys.exit(main())
