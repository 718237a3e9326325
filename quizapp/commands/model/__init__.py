"""Commands about accesses, kernels, and devices; no progress."""
