"""Values of CUDA C++: random programs, run by the emulator, a host's compiler, and a GPU."""
