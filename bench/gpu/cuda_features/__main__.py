"""See the package."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.gpu.cuda_features import building, compiled, counting, on_gpu, record
from bench.gpu.cuda_features.programs import COUNT, draw

_PROCESSES = 2


def main(arguments: list[str]) -> int:
    """Run a command; return its exit status."""
    programs = [draw(seed) for seed in range(COUNT)]
    match arguments:
        case ["build", folder]:
            building.build(record.missing(programs), Path(folder), _PROCESSES)
        case ["run", folder, out]:
            for build in building.OPTIONS:
                on_gpu.save(record.missing(programs), Path(folder), build, Path(out))
            on_gpu.count(Path(folder), Path(out) / "counts.txt")
        case ["launch", folder]:
            on_gpu.print_each(record.missing(programs), Path(folder), "exact")
        case ["record", out]:
            print("\n".join(record.keep(programs, Path(out))))
            counting.keep(programs, (Path(out) / "counts.txt").read_text("utf-8"))
            print(counting.summary())
        case ["ptx", *numbers]:
            first, count = map(int, numbers or (0, COUNT))
            for said in compiled.compare([draw(seed) for seed in range(first, first + count)]):
                print(said, flush=True)
        case ["compare"]:
            print("\n".join([*record.compare(programs), counting.summary()]))
        case _:
            print((sys.modules["bench.gpu.cuda_features"].__doc__ or "").strip())
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
