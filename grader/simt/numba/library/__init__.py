"""What a kernel can call, by Numba's names: a table per module; each entry types a call."""
