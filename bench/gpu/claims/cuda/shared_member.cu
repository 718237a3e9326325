// A tile whose member is said to be shared: what does the compiler make of it? Compiled, never run.
struct Tile { __shared__ float v[32][33]; };
__global__ void f(float* io) {
    Tile t;
    t.v[threadIdx.y][threadIdx.x] = io[0];
    __syncthreads();
    io[threadIdx.y * 32 + threadIdx.x] = t.v[threadIdx.x][threadIdx.y];
}
