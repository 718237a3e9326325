"""Whole programs in CUDA C++: the host part is compiled and run, its launches are emulated.

`hosting` is the way in. `rewriting` makes of a source what a C++ compiler takes, `compiling` calls
the compiler, `messages` reads what the program sends, `device_memory` has its allocations,
`arguments` those of a launch. `include` has our own `cuda_runtime.h`.
"""
