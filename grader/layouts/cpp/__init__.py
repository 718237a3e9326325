"""Index functions in CUDA C++, by the emulator's front end; what C++ leaves undefined is found."""
