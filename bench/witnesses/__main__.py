"""`python -m bench.witnesses`: record what each witness says of the kernel questions.

python -m bench.witnesses run            on a GPU: launch each solution once
python -m bench.witnesses count FILE     on a GPU: the same under Nsight Compute
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.gpu import nsight


def main() -> int:
    """The exit status: 0, or 1 if a result is wrong or `ncu` failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.witnesses", description=__doc__)
    parser.add_argument("do", choices=("run", "count"))
    parser.add_argument("raw", type=Path, nargs="?", help="file for what ncu says")
    asked = parser.parse_args()
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


if __name__ == "__main__":
    sys.exit(main())
