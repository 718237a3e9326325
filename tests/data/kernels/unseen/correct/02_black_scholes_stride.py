"""European option prices (Black-Scholes) in float64 with a grid-stride loop and a device function."""
import math

import numpy as np
from numba import cuda

R = 0.03
SIGMA = 0.25


@cuda.jit(device=True)
def norm_cdf(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


@cuda.jit
def price(spot, strike, years, call, put):
    start = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(start, spot.shape[0], step):
        s = spot[i]
        k = strike[i]
        t = years[i]
        vol = SIGMA * math.sqrt(t)
        d1 = (math.log(s / k) + (R + 0.5 * SIGMA * SIGMA) * t) / vol
        d2 = d1 - vol
        disc = k * math.exp(-R * t)
        c = s * norm_cdf(d1) - disc * norm_cdf(d2)
        call[i] = c
        put[i] = c - s + disc


n = 3001
rng = np.random.default_rng(7)
spot = rng.uniform(50, 150, n)
strike = rng.uniform(50, 150, n)
years = rng.uniform(0.1, 3.0, n)

d_call = cuda.device_array(n, dtype=np.float64)
d_put = cuda.device_array(n, dtype=np.float64)
price[5, 128](cuda.to_device(spot), cuda.to_device(strike), cuda.to_device(years), d_call, d_put)
call = d_call.copy_to_host()
put = d_put.copy_to_host()

erf = np.vectorize(math.erf)
vol = SIGMA * np.sqrt(years)
d1 = (np.log(spot / strike) + (R + 0.5 * SIGMA**2) * years) / vol
d2 = d1 - vol
cdf = lambda v: 0.5 * (1 + erf(v / np.sqrt(2)))
ref = spot * cdf(d1) - strike * np.exp(-R * years) * cdf(d2)
np.testing.assert_allclose(call, ref, rtol=1e-9, atol=1e-9)
np.testing.assert_allclose(put, ref - spot + strike * np.exp(-R * years), rtol=1e-9, atol=1e-9)
print("ok")
