"""Kernels of files: CUDA C++ and PTX, launched by options, by a script, or by an entry point."""
