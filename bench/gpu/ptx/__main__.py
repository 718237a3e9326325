"""See the package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from bench.gpu.ptx.candidates import candidates
from bench.gpu.ptx.comparing import compare, load_names, save
from bench.gpu.ptx.instructions import find_case
from bench.gpu.ptx.writing import write


def main(arguments: list[str]) -> int:
    """Run a command; return its exit status."""
    match arguments:
        case ["write", folder]:
            there, names = Path(folder), dict.fromkeys(candidates())
            every, text = write([case for name in names if (case := find_case(name))])
            there.mkdir(parents=True, exist_ok=True)
            (there / "forms.ptx").write_text(text)
            (there / "names.json").write_text(json.dumps([case.name for case in every]))
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
            there = Path(folder)
            found, names = (
                np.load(there / "results.npz"),
                json.loads((there / "names.json").read_text()),
            )
            every = [case for name in names if (case := find_case(name))]
            device = json.loads((there / "device.json").read_text())["device"]
            numbers = {name: found[f"case{number}"] for number, name in enumerate(names)}
            save(every, numbers, device)
        case ["compare"]:
            differing = compare()
            for name, count, example in differing:
                print(f"{name}: {count} differ, {example}")
            print(f"{len(load_names())} instructions, {len(differing)} differ")
        case ["programs"]:
            from bench.gpu.ptx.programs import print_comparison  # noqa: PLC0415 - it needs NVRTC

            print_comparison()
        case _:
            print((sys.modules["bench.gpu.ptx"].__doc__ or "").strip())
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
