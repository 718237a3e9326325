"""A sieve of primes: many threads clear the same flag, all to the same value."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(prime):
    step = cuda.grid(1) + 2
    if step * step < prime.size:  # @guard
        for k in range(step * step, prime.size, step):  # @loop
            prime[k] = False  # @clear


def case(random):
    prime = np.ones(500, np.bool_)
    right = np.array([all(n % d for d in range(2, n)) for n in range(500)])
    right[:2] = True
    return {
        "grid": 1, "block": 32,
        "arguments": {"prime": prime},
        "right": {"prime": right}, "outputs": [],
    }


FAULTS = [
    (("further", "loop"), "out-of-bounds", "clear loop"),
    (("edit", "clear", "prime[k] = False", "prime[k] = not prime[k]"), "global-race", "clear"),
    (("edit", "clear", "prime[k] = False", "prime[k] = step % 2 == 0"), "global-race", "clear"),
    (("edit", "clear", "prime[k]", "prime[k + 1]"), "wrong-result", ""),
    (("always", "guard"), "equivalent", "the range is empty for larger steps"),
]
