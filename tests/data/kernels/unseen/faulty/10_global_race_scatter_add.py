"""Edges add their weight to the target vertex without an atomic although many edges share a target."""
import numpy as np
from numba import cuda


@cuda.jit
def in_strength(targets, weights, strength):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for e in range(start, targets.shape[0], stride):
        v = targets[e]
        strength[v] = strength[v] + weights[e]  # EXPECT: global-race


rng = np.random.default_rng(110)
edges, vertices = 2000, 70
targets = rng.integers(0, vertices, edges).astype(np.int32)
weights = rng.random(edges)
d_strength = cuda.to_device(np.zeros(vertices, dtype=np.float64))
in_strength[6, 128](cuda.to_device(targets), cuda.to_device(weights), d_strength)
expected = np.bincount(targets, weights=weights, minlength=vertices)
np.testing.assert_allclose(d_strength.copy_to_host(), expected, rtol=1e-9)
print("ok")
