"""y = a*x + y for a length that is not a multiple of the block size."""
import numpy as np
from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


def main():
    n = 5003
    rng = np.random.default_rng(1)
    x = rng.standard_normal(n).astype(np.float32)
    y = rng.standard_normal(n).astype(np.float32)
    a = np.float32(2.5)

    d_x = cuda.to_device(x)
    d_y = cuda.to_device(y)
    threads = 256
    blocks = (n + threads - 1) // threads
    saxpy[blocks, threads](a, d_x, d_y)
    cuda.synchronize()

    np.testing.assert_allclose(d_y.copy_to_host(), a * x + y, rtol=1e-5, atol=1e-6)
    print("ok")


if __name__ == "__main__":
    main()
