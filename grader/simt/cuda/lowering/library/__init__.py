"""CUDA's own functions in C++: what a call of each is lowered to, by name."""
