"""Names the peers, and runs their test files, each in a process of its own.

A peer's folder is what its variable names; Numba's is where it is installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
_SECONDS = 3600


class Peer(NamedTuple):
    """A project whose tests are run.

    Attributes:
        name: as the table has it.
        variable: of the environment, that names its checkout; "": it is installed.
        tests: the folder of its tests in the checkout.
        patterns: which files of it.
        innards: the folders of the packages whose own tools its tests import.
        needs: packages that must be installed.
    """

    name: str
    variable: str
    tests: str
    patterns: tuple[str, ...]
    innards: Mapping[str, str]
    needs: tuple[str, ...] = ("numba",)

    def folder(self) -> Path | None:
        """Return the checkout; None if nothing names it."""
        if self.variable:
            named = os.environ.get(self.variable)
            return Path(named).expanduser().resolve() if named else None
        found = importlib.util.find_spec("numba")
        return Path(found.origin).parents[1] if found and found.origin else None

    def files(self) -> list[Path]:
        """Return its test files."""
        folder = self.folder()
        assert folder is not None
        tests = folder / self.tests
        return sorted(file for one in self.patterns for file in tests.glob(one))


_ALL = ("core", "cudadrv", "cudapy", "doc_examples", "nocuda", "nrt")
PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            "numba", "", "numba/cuda/tests", ("cudapy/test_*.py", "doc_examples/test_*.py"),
            {"numba.cuda": "numba/cuda"},
        ),
        Peer(
            "numba-cuda", "QUIZ_NUMBA_CUDA_SOURCE", "numba_cuda/numba/cuda/tests",
            tuple(f"{folder}/test_*.py" for folder in _ALL),
            {"numba.cuda": "numba_cuda/numba/cuda"},
        ),
        Peer(
            "numba-cuda-mlir", "QUIZ_NUMBA_CUDA_MLIR_SOURCE", "tests",
            ("[!b]*/**/test_*.py", "test_*.py"),
            {"numba_cuda_mlir": "src/numba_cuda_mlir"},
        ),
        Peer(
            "stumpy", "QUIZ_STUMPY", "tests", ("test_gpu_*.py",), {}, ("numba", "pandas", "scipy")
        ),
        Peer("GPU-Puzzles", "QUIZ_GPU_PUZZLES", str(HERE), ("solved_puzzles.py",), {}),
    )
}  # fmt: skip
"""stumpy needs pandas below 3: it writes into arrays that pandas 3 made read-only."""

Outcomes = dict[str, dict[str, Any]]
"""What became of each test; `child.Outcomes.found`."""


def run(peer: Peer, files: Iterable[Path], *names: str, simulator: bool = False) -> Outcomes:
    """Run test files, two at a time.

    Args:
        peer: whose.
        files: which.
        names: arguments of pytest, as `-k`.
        simulator: by Numba's simulator, not by the stand-in.
    """
    with ThreadPoolExecutor(2) as pool:
        parts = pool.map(lambda file: _run_file(peer, file, names, simulator), files)
        return {name: one for part in parts for name, one in part.items()}


def _run_file(peer: Peer, file: Path, names: tuple[str, ...], simulator: bool) -> Outcomes:
    folder = peer.folder()
    with TemporaryDirectory() as place:
        report = Path(place) / "report.json"
        child = "tests.grader.simt.peers.child"
        command = [sys.executable, "-m", child, peer.name, folder, report, file, *names]
        try:
            done = subprocess.run(
                list(map(str, command)),
                cwd=ROOT,
                env={
                    **os.environ,
                    "NUMBA_ENABLE_CUDASIM": "1" if simulator else "0",
                    "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}" if peer.variable else str(ROOT),
                },
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _lost(file, f"no end after {_SECONDS} s")
        if report.exists():
            found: Outcomes = json.loads(report.read_text(encoding="utf-8"))
            return found
        said = done.stderr.decode(errors="replace").strip().split("\n")
        return _lost(file, f"status {done.returncode}: {said[-1]}")


def _lost(file: Path, message: str) -> Outcomes:
    verdict = {"outcome": "wrong", "reason": "", "message": message}
    return {file.stem: {**verdict, "seconds": 0.0, "launches": 0, "faults": []}}
