"""Conway's game of life on a torus of booleans, five generations with two buffers."""
import numpy as np
from numba import cuda


@cuda.jit
def generation(now, nxt):
    c, r = cuda.grid(2)
    rows, cols = now.shape
    if r < rows and c < cols:
        alive = 0
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr != 0 or dc != 0:
                    rr = (r + dr + rows) % rows
                    cc = (c + dc + cols) % cols
                    if now[rr, cc]:
                        alive += 1
        nxt[r, c] = alive == 3 or (alive == 2 and now[r, c])


def reference(board):
    total = sum(
        np.roll(board.astype(int), (dr, dc), (0, 1))
        for dr in (-1, 0, 1)
        for dc in (-1, 0, 1)
        if (dr, dc) != (0, 0)
    )
    return (total == 3) | ((total == 2) & board)


board = np.random.default_rng(22).random((23, 37)) < 0.35
a = cuda.to_device(board)
b = cuda.device_array(board.shape, dtype=np.bool_)
for _ in range(5):
    generation[(5, 3), (8, 8)](a, b)
    a, b = b, a
    board = reference(board)
np.testing.assert_array_equal(a.copy_to_host(), board)
print("alive:", board.sum())
