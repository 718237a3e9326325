"""Global, shared, local and constant memory: arrays as a kernel sees them, and their traffic."""
