"""PTX, what compilers make of a kernel, as the emulator's third language: text → syntax → program.

`reading.read_ptx` is the way in, `kernel.lower_ptx` makes a kernel of it that can be launched.
"""
