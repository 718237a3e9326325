"""The grid is rounded up to whole blocks, and the kernel has no guard against the surplus threads."""
import numpy as np
from numba import cuda


@cuda.jit
def hypot(a, b, c):
    i = cuda.grid(1)
    c[i] = (a[i] * a[i] + b[i] * b[i]) ** 0.5  # EXPECT: out-of-bounds


n = 1500
rng = np.random.default_rng(120)
a = rng.random(n)
b = rng.random(n)
d_c = cuda.device_array(n, dtype=np.float64)
threads = 256
blocks = (n + threads - 1) // threads
hypot[blocks, threads](cuda.to_device(a), cuda.to_device(b), d_c)
np.testing.assert_allclose(d_c.copy_to_host(), np.hypot(a, b), rtol=1e-9)
print("ok")
