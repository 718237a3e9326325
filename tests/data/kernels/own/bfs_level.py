"""One level of a search in a graph: neighbours not yet seen are claimed by compare-and-swap."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(starts, edges, level, depth, frontier, size, following, count):
    i = cuda.grid(1)
    if i < size:  # @guard
        node = frontier[i]  # @node
        for k in range(starts[node], starts[node + 1]):  # @loop
            other = edges[k]  # @edge
            if cuda.atomic.cas(level, other, -1, depth) == -1:  # @claim
                following[cuda.atomic.add(count, 0, 1)] = other  # @push


def case(random):
    n, size = 120, 20
    degree = random.integers(0, 9, n)
    degree[size - 1] = 4
    starts = np.concatenate([[0], np.cumsum(degree)])
    edges = random.integers(0, n, starts[-1])
    level = np.full(n, -1)
    level[:size] = 0
    right = level.copy()
    reached = np.unique(edges[: starts[size]])
    new = reached[level[reached] == -1]
    right[new] = 1
    return {
        "grid": 1, "block": 64,
        "arguments": {
            "starts": starts, "edges": edges, "level": level, "depth": 1, "frontier": np.arange(size),
            "size": size, "following": np.zeros(new.size, np.int64), "count": np.zeros(1, np.int64),
        },
        "right": {"level": right, "following": np.sort(new)}, "sorted": ["following"], "outputs": ["following"],
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "node guard"),
    (("edit", "claim", "cuda.atomic.cas(level, other, -1, depth) == -1", "level[other] == -1"), "out-of-bounds", "push"),
    (("edit", "push", "following[cuda.atomic.add(count, 0, 1)]", "following[0]"), "global-race never-written", "push def"),
    (("edit", "push", "cuda.atomic.add(count, 0, 1)", "i"), "out-of-bounds never-written", "push def"),
    (("edit", "push", "cuda.atomic.add(count, 0, 1)", "cuda.atomic.add(count, 0, 2)"), "out-of-bounds never-written", "push def"),
    (("edit", "guard", "i < size", "i < size - 1"), "never-written", "def"),
]
