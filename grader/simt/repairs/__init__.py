"""Repairs of a kernel: changes by rule, and the proof that one removes a fault."""
