"""CUDA C++ as the emulator's second language: tokens → preprocessing → syntax tree.

Knows nothing of the machine: it imports facts, the emulator's errors, and itself. `parsing.parse`
is the way in, and `syntax` says what its tree guarantees.
"""
