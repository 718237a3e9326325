"""CUDA C++ as the emulator's second language: a parser, and what lowers its tree.

Knows nothing of the machine: it imports facts, the emulator's errors, and itself. The way in is
`parser.parsing.parse`, and `syntax` says what its tree guarantees.
"""
