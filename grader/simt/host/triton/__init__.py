"""Scripts in Triton: their kernels are compiled by Triton itself, and run in the emulator."""
