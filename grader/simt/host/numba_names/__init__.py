"""What scripts name of Numba where it is absent: types, signatures, errors."""
