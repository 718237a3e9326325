"""What Nsight Compute counts when a warp accesses shared memory of other blocks of its cluster.

python -m bench.gpu.ptx.remote count FILE   on a GPU, with Nsight Compute
python -m bench.gpu.ptx.remote run          the launches alone; used by `count`
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.gpu import nsight
from bench.gpu.ptx.driver import Device

_DATA = Path(__file__).parents[3] / "tests" / "data" / "ptx"
RECORD = _DATA / "remote.csv"
BLOCKS, LANES, WORDS = 8, 32, 8192
_PARTS = 3
METRICS = {
    **{
        f"shared_{kind}_wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
        for kind, op in (("load", "ld"), ("store", "st"))
    },
    **{
        f"remote_{kind}_sectors": f"l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_{op}.sum"
        for kind, op in (("load", "ld"), ("store", "st"), ("atomic", "atom"))
    },
}
"""By the emulator's counters, what counts the same."""
_LANE = np.arange(LANES)
_BYTES = {
    "ld4": 4, "ld8": 8, "ld16": 16, "st4": 4, "st8": 8, "st16": 16, "atom4": 4, "red4": 4,
    "gld4": 4, "gld16": 16, "gst4": 4, "gatom4": 4,
}  # fmt: skip
OFFSETS = {
    **{f"stride {step}": step * _LANE for step in (1, 2, 3, 4, 8, 16, 32, 33)},
    "one": 0 * _LANE, "pairs": _LANE // 2, "halves twice": _LANE % 16, "reversed": 31 - _LANE,
    "shifted": _LANE + 4, "drawn": np.random.default_rng(5).permutation(480)[:LANES],
    "from one": _LANE + 1, "shuffled": np.random.default_rng(6).permutation(LANES),
    "two rows": _LANE % 2 * 16 + _LANE // 2, "four rows": _LANE % 4 * 8 + _LANE // 4,
    "drawn near": np.random.default_rng(7).permutation(48)[:LANES],
    "drawn in 64": np.random.default_rng(8).integers(0, 64, LANES),
}  # fmt: skip
"""In units of the access."""
RANKS = {
    "own": 0 * _LANE, "other": 0 * _LANE + 1, "two, by halves": 1 + _LANE // 16,
    "two, in turn": 1 + _LANE % 2, "four, in turn": 1 + _LANE % 4, "eight, by fours": _LANE // 4,
    "own and other": _LANE % 2,
    **{f"{count} lanes": np.where(count > _LANE, 1, -1) for count in (1, 2, 4, 8, 12, 16, 24)},
    "every second lane": np.where(_LANE % 2, 1, -1),
    "every second eight": np.where(_LANE // 8 % 2, 1, -1),
    "drawn": np.where(np.random.default_rng(9).random(LANES) < 0.7, 1, -1),
    "drawn of three": np.random.default_rng(10).integers(0, 3, LANES),
}  # fmt: skip
_ALL = ("other", "own", "two, by halves", "two, in turn", "four, in turn", "own and other")

_FURTHER = (
    "stride 1", "reversed", "from one", "shuffled", "two rows", "four rows", "drawn near",
    "drawn in 64",
)  # fmt: skip
_SOME = ("other", "8 lanes", "24 lanes", "every second eight", "drawn", "drawn of three")


class RemoteAccess(NamedTuple):
    """A launch: its kernel, and what lanes access; -1 is a rank of nobody."""

    kernel: str
    offsets: str
    ranks: str

    @property
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Ranks, and offsets in bytes."""
        places = OFFSETS[self.offsets] * _BYTES[self.kernel]
        return RANKS[self.ranks].astype(np.int32), places.astype(np.int32)


def accesses() -> list[RemoteAccess]:
    """Return all of them."""
    found = [RemoteAccess("ld4", offsets, "other") for offsets in OFFSETS]
    found += [RemoteAccess("ld4", "stride 1", ranks) for ranks in RANKS if ranks != "other"]
    found += [RemoteAccess("ld4", "stride 32", ranks) for ranks in _ALL]
    found += [RemoteAccess("ld4", "one", ranks) for ranks in _ALL]
    for kernel in _BYTES:
        offsets = ("stride 1", "stride 2", "stride 8", "stride 32", "one", "drawn")
        found += [RemoteAccess(kernel, each, "other") for each in offsets]
        found += [RemoteAccess(kernel, "stride 1", ranks) for ranks in _ALL]
        found += [RemoteAccess(kernel, "stride 1", ranks) for ranks in ("4 lanes", "16 lanes")]
    for kernel in ("ld4", "ld16", "st4", "st8", "st16", "atom4"):
        for offsets in _FURTHER:
            found += [RemoteAccess(kernel, offsets, ranks) for ranks in _SOME]
    return list(dict.fromkeys(found))


def read() -> str:
    """Return the PTX of all kernels."""
    return (_DATA / "clusters" / "remote.ptx").read_text()


def load() -> dict[RemoteAccess, dict[str, int]]:
    """Return what was counted, by the names of the emulator's counters."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        RemoteAccess(row.pop("kernel"), row.pop("offsets"), row.pop("ranks")): {
            name: int(count) for name, count in row.items()
        }
        for row in rows
    }


def _keep(raw: str) -> None:
    """Write what was counted of each launch; of wavefronts, those of loads and stores."""
    made = [line[2:].split("|")[:3] for line in raw.splitlines() if line.count("|") == _PARTS]
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "offsets", "ranks", *METRICS])
        for access, found in zip(made, nsight.launches(raw), strict=True):
            writer.writerow([*access, *(found.metrics[name] for name in METRICS.values())])


def run() -> None:
    """Launch all, and print each."""
    device = Device()
    module = device.load(read())
    for access in accesses():
        out = np.zeros(LANES, np.int32)
        device.launch(module, access.kernel, (BLOCKS, LANES), [*access.tables, out])
        print("|".join(access), int(out.sum()), sep="|", flush=True)


def main(arguments: list[str]) -> int:
    """Run a command; return its exit status."""
    match arguments:
        case ["run"]:
            run()
        case ["count", raw]:
            identity, command = (Device().name, ""), ("-m", "bench.gpu.ptx.remote", "run")
            nsight.profile(Path(raw), identity, command, [*METRICS.values()][2:])
        case ["counted", raw]:
            _keep(Path(raw).read_text("utf-8"))
        case _:
            print((__doc__ or "").strip())
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
