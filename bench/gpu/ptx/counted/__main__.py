"""See the package."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.gpu.ptx.counted import record, texts
from bench.gpu.ptx.counted.device import RAW
from bench.gpu.ptx.counted.launches import launches


def main(arguments: list[str]) -> int:
    """Run a command; return its exit status."""
    match arguments:
        case ["compile"]:
            texts.save({each.name: each.compile() for each in launches()})
            print(f"{len(launches())} launches")
        case ["write", folder, *options]:
            from bench.gpu.ptx.counted.writing import write  # noqa: PLC0415 - needs a linker

            find = texts.load()
            known = {cell.sha256 for cell in record.load()} if "--missing" in options else set()
            pairs = ((each, find(each.name)) for each in launches())
            chosen = (pair for pair in pairs if record.digest(pair[1]) not in known)
            print(f"{write(chosen, Path(folder))} launches")
        case ["record", folder]:
            return _record(sorted(Path(folder).glob(RAW)))
        case ["compare"]:
            return _compare()
        case _:
            print((sys.modules["bench.gpu.ptx.counted"].__doc__ or "").strip())
            return 2
    return 0


def _record(raws: Sequence[Path]) -> int:
    """Replace what was counted again."""
    new, others = list[record.Cell](), list[str]()
    for raw in raws:
        cells, wrong = record.read_cells(raw.read_text("utf-8"), launches(), texts.load())
        new, others = new + cells, others + wrong
    again = {cell.name for cell in new}
    before = record.load() if record.RECORDED.exists() else []
    cells = [*(cell for cell in before if cell.name not in again), *new]
    order = {each.name: at for at, each in enumerate(launches())}
    record.save(sorted(cells, key=lambda cell: order[cell.name]))
    print("\n".join(others))
    return _compare()


def _compare() -> int:
    find, cells, reasons = texts.load(), record.load(), record.load_reasons()
    every = launches()
    found = [
        said for each in every for said in record.problems(each, find(each.name), cells, reasons)
    ]
    found += record.problems_of_reasons(cells, reasons)
    print("\n".join([*found, *record.summary(every, cells, reasons)]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
