"""What questions and documents say was measured, measured again: `python -m bench.gpu.claims`."""
