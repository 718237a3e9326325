"""Lowers CUDA C++ to the typed program."""
