"""Forms of the language: whether the emulator runs what Numba compiles, and refuses the rest."""
