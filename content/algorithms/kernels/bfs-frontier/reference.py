import numpy as np


def reference(frontier, starts, edges, level, dist, tail, queue):
    dist = dist.copy()
    new = np.zeros(len(dist), dtype=bool)
    new[edges[starts[0] : starts[-1]]] = True
    new &= dist == -1
    dist[new] = level
    queue = queue.copy()
    queue[tail[0] : tail[0] + new.sum()] = level
    return dist, tail + new.sum(), queue
