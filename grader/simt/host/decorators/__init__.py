"""What a script decorates: kernels, elementwise functions, reductions."""
