"""What computing instructions give, against what an H200 gave (`python -m bench.gpu.ptx`)."""

from __future__ import annotations

from bench.gpu.ptx.comparing import compare


def test_every_instruction_gives_an_h200s_bits() -> None:
    assert compare() == []
