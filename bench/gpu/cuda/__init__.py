"""The CUDA C++ solutions of kernel questions: compiled, checked, timed beside the Numba ones."""
