"""Mean of each cell and its neighbours along two axes of a volume; there are fewer at faces."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, out):
    x, y, z = cuda.grid(3)
    depth, rows, columns = a.shape
    if x >= columns or y >= rows or z >= depth:  # @leave
        return  # @return
    total, count = a[z, y, x], 1  # @centre
    if x > 0:  # @west
        total += a[z, y, x - 1]  # @w
        count += 1
    if x + 1 < columns:  # @east
        total += a[z, y, x + 1]  # @e
        count += 1
    if z > 0:
        total += a[z - 1, y, x]  # @d
        count += 1
    if z + 1 < depth:  # @up
        total += a[z + 1, y, x]  # @u
        count += 1
    out[z, y, x] = total / float32(count)  # @store


def case(random):
    a = random.random((5, 9, 13), dtype=np.float32)
    total, count = a.copy(), np.ones_like(a)
    for axis in (0, 2):
        for step in (1, -1):
            near, far = [slice(None)] * 3, [slice(None)] * 3
            near[axis], far[axis] = (slice(1, None), slice(None, -1))[:: step]
            total[tuple(near)] += a[tuple(far)]
            count[tuple(near)] += 1
    return {
        "grid": (4, 3, 3), "block": (4, 4, 2),
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": total / count}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "return"), "out-of-bounds", "centre return leave store w d e u"),
    (("always", "east"), "out-of-bounds", "e east"),
    (("always", "up"), "out-of-bounds", "u up"),
    (("edit", "leave", " or z >= depth", ""), "out-of-bounds", "centre leave store w d"),
    (("edit", "east", "x + 1 < columns", "x < columns"), "out-of-bounds", "e east"),
    (("edit", "centre", "a[z, y, x]", "a[x, y, z]"), "out-of-bounds", "centre"),
    (("edit", "store", "out[z, y, x]", "out[z, 0, x]"), "global-race never-written", "store def"),
    (("edit", "store", "out[z, y, x]", "out[0, y, x]"), "global-race never-written", "store def"),
]
