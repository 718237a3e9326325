"""The lockstep machine: runs a typed program for all threads of a chunk at once."""
