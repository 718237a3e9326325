"""Kernels of others, launched in the emulator and on a GPU with the same arguments."""
