"""A kernel's source as a tree: names, constants and types, and the rules of Numba's typing."""
