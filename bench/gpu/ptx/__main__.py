"""See the package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from bench.gpu.ptx.comparing import RECORD, compare
from bench.gpu.ptx.instructions import cases
from bench.gpu.ptx.writing import write


def main(arguments: list[str]) -> int:
    """Run a command; return its exit status."""
    match arguments:
        case ["write", folder]:
            there, every = Path(folder), list(cases())
            there.mkdir(parents=True, exist_ok=True)
            (there / "forms.ptx").write_text(write(every))
            operands = {f"case{number}": case.given for number, case in enumerate(every)}
            np.savez_compressed(there / "operands.npz", **operands)
            print(f"{len(every)} instructions")
        case ["run", folder]:
            from bench.gpu.ptx.driver import run  # noqa: PLC0415 - it needs the driver

            run(Path(folder))
        case ["hopper", folder]:
            from bench.gpu.ptx import hopper  # noqa: PLC0415 - as above

            hopper.run(Path(folder))
        case ["record", folder]:
            found = np.load(Path(folder) / "results.npz")
            named = {case.name: found[f"case{number}"] for number, case in enumerate(cases())}
            device = json.loads((Path(folder) / "device.json").read_text())["device"]
            RECORD.parent.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(RECORD, **named, device=np.array(device))
        case ["compare"]:
            differing = compare()
            for name, count, example in differing:
                print(f"{name}: {count} differ, {example}")
            print(f"{len(list(cases()))} instructions, {len(differing)} differ")
        case ["programs"]:
            from bench.gpu.ptx.programs import print_comparison  # noqa: PLC0415 - it needs NVRTC

            print_comparison()
        case _:
            print((sys.modules["bench.gpu.ptx"].__doc__ or "").strip())
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
