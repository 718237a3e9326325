"""What the emulator counts, against what Nsight Compute counts on a GPU: `python -m bench.gpu`."""
