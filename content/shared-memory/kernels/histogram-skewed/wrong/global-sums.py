from numba import cuda


@cuda.jit
def class_sums(classes, weights, sums):
    for i in range(cuda.grid(1), classes.size, cuda.gridsize(1)):
        cuda.atomic.add(sums, classes[i] & 15, weights[i])
