"""The options of `pytest --quiz-cuda`; pytest loads this by its entry point in every project.

So it loads nothing else until it is asked.
"""

from __future__ import annotations

import pytest

MARK = "quiz_allow"
_ABOUT = "faults that quiz's emulator may find in the test; any, if none is named"


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known, also where nothing is emulated: `--strict-markers` asks for it."""
    config.addinivalue_line("markers", f"{MARK}(*kinds): {_ABOUT}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, in English as all of pytest's are."""
    group = parser.getgroup("quiz", "CUDA without a GPU")
    group.addoption(
        "--quiz-cuda",
        action="store_true",
        help="run numba.cuda and numba_cuda_mlir on quiz's emulator; a fault fails the test",
    )
    group.addoption(
        "--quiz-cuda-budget",
        type=int,
        metavar="N",
        help="operations per launch before it is stopped; no limit if not given",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Install the emulator before a conftest.py can import Numba's."""
    asked = early_config.known_args_namespace
    if asked.quiz_cuda:
        from quizapp.testing.cuda import CudaTests  # noqa: PLC0415 - 100 ms

        early_config.pluginmanager.register(CudaTests(asked.quiz_cuda_budget))
