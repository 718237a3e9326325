"""From a function's tree to closures: each node is typed as Numba types it, or refused."""
