import math

import numpy as np


def reference(a, b, bias, n, k):
    x = a @ b + bias
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
