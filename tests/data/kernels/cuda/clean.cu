// Clean kernels, each with its launch: a grid, a block, dynamic shared bytes, arguments as `quiz profile --args` takes them.
// A name behind `// @` is a mark of its line, for mutations.txt.

//= shuffle_down 2 64 0 | in=f32[128]:random, out=f32[4]
__global__ void k(const float* in, float* out) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float v = in[i];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);  // @shfl
    if (t % 32 == 0) out[i / 32] = v;  // @store
}
//= shuffle_xor 2 64 0 | in=i32[128]:arange, out=i32[128]
__global__ void k(const int* in, int* out) {
    int i = blockIdx.x * 64 + threadIdx.x, v = in[i];
    for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(~0u, v, d);  // @shfl
    out[i] = v;  // @store
}
//= scan_shuffle 1 64 0 | in=i32[64]:arange, out=i32[64]
__global__ void k(const int* in, int* out) {
    int t = threadIdx.x, lane = t & 31, v = in[t];
    for (int d = 1; d < 32; d <<= 1) {
        int other = __shfl_up_sync(0xffffffff, v, d);  // @shfl
        if (lane >= d) v += other;  // @sum
    }
    out[t] = v;
}
//= tree_syncwarp 1 64 0 | in=f32[64]:random, out=f32[2]
__global__ void k(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = in[t];  // @fill
    __syncwarp();  // @first
    for (int d = 16; d > 0; d /= 2) {
        if (lane < d) s[t] += s[t + d];  // @add
        __syncwarp();  // @sync
    }
    if (lane == 0) out[t / 32] = s[t];  // @out
}
//= unrolled_syncwarp 1 64 0 | in=f32[64]:random, out=f32[1]
__global__ void k(const float* in, float* out) {
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = in[t];  // @fill
    __syncthreads();  // @barrier
    if (t < 32) {  // @guard
        float v = s[t] + s[t + 32];  // @first
        v += __shfl_down_sync(0xffffffff, v, 16);  // @shfl
        s[t] = v; __syncwarp();  // @w1
        v += s[t ^ 8]; __syncwarp();  // @r1
        s[t] = v; __syncwarp();  // @w2
        v += s[t ^ 4]; __syncwarp();  // @r2
        s[t] = v; __syncwarp();  // @w3
        v += s[t ^ 2]; __syncwarp();  // @r3
        s[t] = v; __syncwarp();  // @w4
        v += s[t ^ 1];  // @r4
        if (t == 0) out[0] = v;
    }
}
//= segments_of_eight 1 64 0 | in=f32[64]:random, out=f32[8]
__global__ void k(const float* in, float* out) {
    int t = threadIdx.x;
    float v = in[t];
    for (int d = 4; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d, 8);  // @shfl
    if ((t & 7) == 0) out[t / 8] = v;  // @store
}
//= half_masks 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    int t = threadIdx.x;
    unsigned half = t & 16 ? 0xffff0000 : 0xffff;  // @mask
    int v = in[t];
    if (t & 16) v += __shfl_xor_sync(half, v, 1);  // @upper
    else v -= __shfl_xor_sync(half, v, 2);  // @lower
    out[t] = v;
}
//= ballot_compact 2 64 0 | in=i32[128]:random, out=i32[128], count=i32[1]:zeros
__global__ void k(const int* in, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    bool keep = in[i] > 50;
    unsigned kept = __ballot_sync(0xffffffff, keep);  // @ballot
    int base;
    if (lane == 0) base = atomicAdd(count, __popc(kept));  // @atomic
    base = __shfl_sync(0xffffffff, base, 0);  // @shfl
    if (keep) out[base + __popc(kept & ((1u << lane) - 1))] = in[i];
}
//= match_any_leader 1 64 0 | in=i32[64]:random, sums=i32[10]:zeros
__global__ void k(const int* in, int* sums) {
    int t = threadIdx.x, lane = t & 31, bin = in[t] % 10;
    unsigned peers = __match_any_sync(0xffffffff, bin);  // @match
    int total = __reduce_add_sync(peers, 1);  // @reduce
    if (lane == __ffs(peers) - 1) atomicAdd(&sums[bin], total);  // @atomic
}
//= activemask_append 2 64 0 | in=i32[128]:random, out=i32[128], count=i32[1]:zeros
__global__ void k(const int* in, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] < 30) {
        unsigned here = __activemask();
        int lane = threadIdx.x & 31, leader = __ffs(here) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(here));  // @atomic
        base = __shfl_sync(here, base, leader);  // @shfl
        out[base + __popc(here & ((1u << lane) - 1))] = in[i];
    }
}
//= syncwarp_in_two_branches 1 32 0 | in=f32[32]:random, out=f32[32]
__global__ void k(const float* in, float* out) {
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t < 16) { s[t] = in[t]; __syncwarp(); }  // @lower
    else { s[t] = -in[t]; __syncwarp(); }  // @upper
    __syncwarp();
    out[t] = s[31 - t];
}
//= syncwarp_of_a_group 1 64 0 | in=f32[64]:random, out=f32[64]
__global__ void k(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x, lane = t & 31;
    out[t] = 0;
    if (lane < 8) {  // @guard
        s[t] = in[t];  // @fill
        __syncwarp(0xff);  // @sync
        out[t] = s[t ^ 7];  // @read
    }
}
//= ballot_of_the_rest 2 64 0 | in=f32[100]:random, out=f32[4]:zeros, n=100
__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned inside = __ballot_sync(0xffffffff, i < n);  // @ballot
    if (i < n) {  // @guard
        float v = in[i];  // @load
        int lane = threadIdx.x & 31;
        for (int d = 16; d > 0; d /= 2) {
            float other = __shfl_down_sync(inside, v, d);  // @shfl
            if (lane + d < 32 && i + d < n) v += other;
        }
        if (lane == 0) out[i / 32] = v;
    }
}
//= exited_lanes 2 64 0 | in=i32[100]:random, out=i32[100], n=100
__global__ void k(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  // @guard
    out[i] = __popc(__ballot_sync(0xffffffff, in[i] > 50));  // @ballot
}
//= leader_without_a_start 1 64 0 | in=f32[64]:random, out=f32[64]
__global__ void k(const float* in, float* out) {
    float first;
    if ((threadIdx.x & 31) == 3) first = in[threadIdx.x];
    first = __shfl_sync(0xffffffff, first, 3);  // @shfl
    out[threadIdx.x] = first;
}
//= warp_private_tile 2 64 0 | in=f32[4,32]:random, out=f32[4,32]
__global__ void k(const float* in, float* out) {
    __shared__ float s[2][33];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 2 + w;
    s[w][lane] = in[row * 32 + lane];  // @fill
    __syncwarp();  // @sync
    out[row * 32 + lane] = s[w][31 - lane];  // @read
}
//= any_until_done 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    int v = in[threadIdx.x], steps = 0;
    while (__any_sync(0xffffffff, v > 1)) {  // @any
        if (v > 1) { v = v % 2 ? 3 * v + 1 : v / 2; steps++; }
    }
    out[threadIdx.x] = steps;
}
//= all_in_a_loop 1 64 0 | in=i32[64]:random, out=i32[64], n=64
__global__ void k(const int* in, int* out, int n) {
    int best = 0;
    for (int i = 0; i < n; i++) {
        if (__all_sync(0xffffffff, in[i] <= best)) continue;  // @all
        best = max(best, in[i]);
    }
    out[threadIdx.x] = best;
}
//= reduce_max 1 96 0 | in=i32[96]:random, out=i32[3]
__global__ void k(const int* in, int* out) {
    int most = __reduce_max_sync(0xffffffff, in[threadIdx.x]);  // @reduce
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = most;
}
//= lanes_in_pairs 1 32 0 | in=f32[32]:random, out=f32[32]
__global__ void k(const float* in, float* out) {
    int t = threadIdx.x;
    float v = in[t];
    unsigned pair = 3u << (t & ~1);  // @mask
    if (t & 2) v = __shfl_xor_sync(pair, v, 1);  // @shfl
    out[t] = v;
}
//= transpose 2,3 16,16 0 | in=f32[40,30]:random, out=f32[30,40], h=40, w=30
__global__ void k(const float* in, float* out, int h, int w) {
    __shared__ float tile[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < w && y < h) tile[ty][tx] = in[y * w + x];  // @load
    __syncthreads();  // @barrier
    x = blockIdx.y * 16 + tx; y = blockIdx.x * 16 + ty;
    if (x < h && y < w) out[y * h + x] = tile[tx][ty];  // @store
}
//= double_buffer 1 64 0 | in=f32[8,64]:random, out=f32[64], rows=8
__global__ void k(const float* in, float* out, int rows) {
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        s[r & 1][t] = in[r * 64 + t];  // @fill
        __syncthreads();  // @barrier
        sum += s[r & 1][63 - t];  // @read
    }
    out[t] = sum;
}
//= block_tree 2 128 0 | in=f32[200]:random, out=f32[2], n=200
__global__ void k(const float* in, float* out, int n) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;  // @fill
    __syncthreads();  // @first
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];  // @add
        __syncthreads();  // @barrier
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
//= block_shuffle 1 128 0 | in=f32[128]:random, out=f32[1]
__inline__ __device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);  // @shfl
    return v;
}
__global__ void k(const float* in, float* out) {
    __shared__ float part[32];
    int t = threadIdx.x;
    float v = warp_sum(in[t]);
    if (t % 32 == 0) part[t / 32] = v;  // @part
    __syncthreads();  // @barrier
    if (t < 32) {  // @guard
        v = t < blockDim.x / 32 ? part[t] : 0;  // @read
        v = warp_sum(v);
        if (t == 0) out[0] = v;
    }
}
//= hillis_steele 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    __shared__ int s[2][64];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];  // @fill
    __syncthreads();  // @first
    for (int d = 1; d < 64; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];  // @step
        from = 1 - from;
        __syncthreads();  // @barrier
    }
    out[t] = s[from][t];
}
//= blelloch 1 32 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x, n = 64;
    s[2 * t] = in[2 * t]; s[2 * t + 1] = in[2 * t + 1];  // @fill
    int step = 1;
    for (int d = n / 2; d > 0; d /= 2) {
        __syncthreads();  // @up
        if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];  // @rise
        step *= 2;
    }
    if (t == 0) s[n - 1] = 0;  // @clear
    for (int d = 1; d < n; d *= 2) {
        step /= 2;
        __syncthreads();  // @down
        if (t < d) {
            int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
            int left = s[a];
            s[a] = s[b]; s[b] += left;  // @fall
        }
    }
    __syncthreads();  // @last
    out[2 * t] = s[2 * t]; out[2 * t + 1] = s[2 * t + 1];  // @out
}
//= early_return 2 64 0 | in=f32[100]:random, out=f32[100], n=100
__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  // @guard
    out[i] = in[i] * 2;  // @store
}
//= return_behind_the_last_barrier 1 64 0 | in=f32[64]:random, out=f32[32]
__global__ void k(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];  // @fill
    __syncthreads();  // @barrier
    if (t >= 32) return;  // @guard
    out[t] = s[t] + s[63 - t];  // @read
}
//= syncthreads_count 2 64 0 | in=i32[128]:random, out=i32[2]
__global__ void k(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int many = __syncthreads_count(in[i] > 50);  // @barrier
    if (threadIdx.x == 0) out[blockIdx.x] = many;
}
//= syncthreads_or_loop 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x, moved = 1;
    s[t] = in[t];  // @fill
    __syncthreads();  // @first
    while (__syncthreads_or(moved)) {  // @vote
        moved = 0;
        for (int odd = 0; odd < 2; odd++) {
            int a = 2 * t + odd;
            if (a + 1 < 64 && s[a] > s[a + 1]) { int x = s[a]; s[a] = s[a + 1]; s[a + 1] = x; moved = 1; }  // @swap
            __syncthreads();  // @barrier
        }
    }
    out[t] = s[t];
}
//= barrier_in_a_uniform_branch 3 32 0 | in=f32[32]:random, out=f32[96]
__global__ void k(const float* in, float* out) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = in[t];  // @fill
    if (blockIdx.x > 0) __syncthreads();  // @barrier
    out[blockIdx.x * 32 + t] = blockIdx.x > 0 ? s[31 - t] : s[t];  // @read
}
//= barrier_in_a_uniform_loop 1 64 0 | in=f32[200]:random, out=f32[64], n=200
__global__ void k(const float* in, float* out, int n) {
    __shared__ float s[64];
    float sum = 0;
    for (int base = 0; base < n; base += blockDim.x) {  // @loop
        int i = base + threadIdx.x;
        s[threadIdx.x] = i < n ? in[i] : 0;  // @fill
        __syncthreads();  // @one
        for (int j = 0; j < 64; j++) sum += s[j];  // @read
        __syncthreads();  // @two
    }
    out[threadIdx.x] = sum;
}
//= uniform_break 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    __shared__ int go;
    int t = threadIdx.x, v = in[t];
    for (int round = 0; ; round++) {
        if (t == 0) go = round < 5;  // @set
        __syncthreads();  // @one
        if (!go) break;  // @test
        v += round;
        __syncthreads();  // @two
    }
    out[t] = v;
}
//= histogram_shared 2 64 0 | in=i32[128]:random, bins=i32[16]:zeros
__global__ void k(const int* in, int* bins) {
    __shared__ int own[16];
    int t = threadIdx.x;
    if (t < 16) own[t] = 0;  // @zero
    __syncthreads();  // @one
    atomicAdd(&own[in[blockIdx.x * 64 + t] & 15], 1);  // @count
    __syncthreads();  // @two
    if (t < 16) atomicAdd(&bins[t], own[t]);  // @sum
}
//= dynamic_carve 1 64 512 | in=f32[64]:random, out=f32[64]
__global__ void k(const float* in, float* out) {
    extern __shared__ unsigned char raw[];
    float* values = (float*)raw;
    int* keys = (int*)(raw + 64 * sizeof(float));  // @carve
    int t = threadIdx.x;
    values[t] = in[t];  // @values
    keys[t] = 63 - t;  // @keys
    __syncthreads();  // @barrier
    out[t] = values[keys[63 - t]];  // @read
}
//= vector_loads 1 32 0 | in=f32[128]:random, out=f32[128]
__global__ void k(const float* in, float* out) {
    __shared__ __align__(16) float s[128];
    int t = threadIdx.x;
    *reinterpret_cast<float4*>(&s[4 * t]) = *reinterpret_cast<const float4*>(in + 4 * t);  // @load
    __syncthreads();  // @barrier
    float4 v = reinterpret_cast<float4*>(s)[31 - t];  // @read
    *reinterpret_cast<float2*>(&out[4 * t]) = make_float2(v.w, v.z);  // @two
    *reinterpret_cast<float2*>(&out[4 * t + 2]) = make_float2(v.y, v.x);  // @more
}
//= bitonic 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];  // @fill
    __syncthreads();  // @first
    for (int size = 2; size <= 64; size <<= 1) {
        for (int d = size / 2; d > 0; d >>= 1) {
            int o = t ^ d;
            if (o > t && (s[t] > s[o]) == ((t & size) == 0)) { int x = s[t]; s[t] = s[o]; s[o] = x; }  // @swap
            __syncthreads();  // @barrier
        }
    }
    out[t] = s[t];
}
//= stencil_halo 2 64 0 | in=f32[128]:random, out=f32[128], n=128
__global__ void k(const float* in, float* out, int n) {
    __shared__ float s[66];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = in[i];  // @fill
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;  // @left
    if (t == 63) s[65] = i + 1 < n ? in[i + 1] : 0;  // @right
    __syncthreads();  // @barrier
    out[i] = s[t] + s[t + 1] + s[t + 2];  // @read
}
//= own_slot 1 64 0 | in=f32[64]:random, out=f32[64]
__global__ void k(const float* in, float* out) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x] * 2;  // @read
}
//= same_value 1 64 0 | in=i32[64]:random, out=i32[1]
__global__ void k(const int* in, int* out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;  // @clear
    __syncthreads();  // @one
    if (in[threadIdx.x] > 10) found = 1;  // @set
    __syncthreads();  // @two
    if (threadIdx.x == 0) out[0] = found;
}
//= last_block 4 64 0 | in=f32[256]:random, part=f32[4], out=f32[1], done=u32[1]:zeros
__global__ void k(const float* in, volatile float* part, float* out, unsigned* done) {
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
    if (t == 0) {
        part[blockIdx.x] = s[0];  // @part
        __threadfence();  // @fence
        last = atomicInc(done, gridDim.x) == gridDim.x - 1;  // @inc
    }
    __syncthreads();  // @barrier
    if (last && t == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += part[b];  // @read
        out[0] = sum;
    }
}
//= producer_consumer 2 32 0 | data=f32[32], flag=i32[1]:zeros, out=f32[32]
__global__ void k(float* data, int* flag, float* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;  // @write
        __threadfence();  // @fence
        __syncthreads();  // @barrier
        if (t == 0) atomicExch(flag, 1);  // @raise
    } else {
        if (t == 0) while (atomicAdd(flag, 0) == 0) {}  // @poll
        __syncthreads();  // @wait
        __threadfence();
        out[t] = data[31 - t];  // @read
    }
}
//= look_back 4 32 0 | in=i32[128]:random, state=i32[4]:zeros, sums=i32[4], out=i32[128]
__global__ void k(const int* in, int* state, int* sums, int* out) {
    __shared__ int before;
    int t = threadIdx.x, b = blockIdx.x, v = in[b * 32 + t];
    for (int d = 1; d < 32; d *= 2) { int o = __shfl_up_sync(~0u, v, d); if (t >= d) v += o; }
    if (t == 31) {
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&state[b - 1], 0) == 0) {}  // @poll
            __threadfence();
            sum = sums[b - 1];  // @read
        }
        sums[b] = sum + v;  // @write
        __threadfence();  // @fence
        atomicExch(&state[b], 1);  // @raise
        before = sum;  // @before
    }
    __syncthreads();  // @barrier
    out[b * 32 + t] = before + v;  // @out
}
//= spin_lock 4 32 0 | lock=i32[1]:zeros, total=i32[1]:zeros
__global__ void k(int* lock, int* total) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}  // @take
        __threadfence();
        *(volatile int*)total = *(volatile int*)total + 1;  // @add
        __threadfence();  // @fence
        atomicExch(lock, 0);  // @release
    }
}
//= ticket_lock 4 32 0 | lock=i32[2]:zeros, total=f32[1]:zeros
__global__ void k(int* lock, float* total) {
    if (threadIdx.x == 0) {
        int mine = atomicAdd(&lock[0], 1);  // @ticket
        while (atomicAdd(&lock[1], 0) != mine) {}  // @wait
        __threadfence();
        total[0] += blockIdx.x;  // @add
        __threadfence();  // @fence
        atomicAdd(&lock[1], 1);  // @release
    }
}
//= grid_stride 2 64 0 | in=f32[1000]:random, out=f32[1000], n=1000
__global__ void k(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)  // @loop
        out[i] = in[i] + 1;  // @store
}
//= histogram_global 4 64 0 | in=i32[256]:random, bins=i32[16]:zeros
__global__ void k(const int* in, int* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] & 15], 1);  // @count
}
//= float_max_by_cas 4 64 0 | in=f32[256]:random, most=f32[1]:zeros
__global__ void k(const float* in, float* most) {
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int* at = (int*)most;
    int old = atomicAdd(at, 0), seen;
    do {
        seen = old;
        if (__int_as_float(seen) >= v) break;
        old = atomicCAS(at, seen, __float_as_int(v));  // @cas
    } while (old != seen);
}
//= append 4 64 0 | in=i32[256]:random, out=i32[256], count=i32[1]:zeros
__global__ void k(const int* in, int* out, int* count) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v > 50) {
        int at = atomicAdd(count, 1);  // @count
        out[at] = v;  // @store
    }
}
//= grid_barrier 4 32 0 | data=i32[128], out=i32[128], count=i32[1]:zeros
__global__ void k(int* data, int* out, int* count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    data[i] = i;  // @write
    __threadfence();  // @fence
    __syncthreads();  // @one
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);  // @arrive
        while (atomicAdd(count, 0) < (int)gridDim.x) {}  // @wait
        __threadfence();
    }
    __syncthreads();  // @two
    out[i] = data[127 - i];  // @read
}
//= chain_of_blocks 3 1 0 | turn=i32[1]:zeros, value=i32[1]:ones
__global__ void k(int* turn, int* value) {
    while (atomicAdd(turn, 0) != (int)blockIdx.x) {}  // @wait
    __threadfence();
    value[0] = value[0] * 3 + 1;  // @step
    __threadfence();  // @fence
    atomicAdd(turn, 1);  // @pass
}
//= max_of_long 4 64 0 | in=i32[256]:random, most=u64[1]:zeros
__global__ void k(const int* in, unsigned long long* most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long key = (unsigned long long)in[i] << 32 | i;
    atomicMax(most, key);  // @max
}
//= block_scope_atomics 2 64 0 | in=i32[128]:random, out=i32[2]:zeros
__global__ void k(const int* in, int* out) {
    atomicAdd_block(&out[blockIdx.x], in[blockIdx.x * 64 + threadIdx.x]);  // @sum
}
//= constant_weights 1 64 0 | in=f32[66]:random, out=f32[64]
__constant__ float weight[3] = {0.25f, 0.5f, 0.25f};
__global__ void k(const float* in, float* out) {
    float sum = 0;
    for (int j = 0; j < 3; j++) sum += weight[j] * in[threadIdx.x + j];  // @sum
    out[threadIdx.x] = sum;
}
//= device_counter 4 64 0 | out=u32[256]
__device__ unsigned counter;
__global__ void k(unsigned* out) {
    unsigned mine = atomicAdd(&counter, 1u);  // @count
    out[mine % 256] = threadIdx.x;
}
//= bits_of_floats 1 64 0 | in=f32[64]:random, out=u32[64]
__global__ void k(const float* in, unsigned* out) {
    unsigned bits = reinterpret_cast<const unsigned*>(in)[threadIdx.x];  // @bits
    out[threadIdx.x] = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
//= rotating_registers 1 64 0 | in=f32[8,64]:random, out=f32[6,64], rows=8
__global__ void k(const float* in, float* out, int rows) {
    float v[3];
    for (int j = 0; j < 2; j++) v[j + 1] = in[j * 64 + threadIdx.x];  // @fill
    for (int r = 2; r < rows; r++) {
        for (int j = 0; j < 2; j++) v[j] = v[j + 1];  // @shift
        v[2] = in[r * 64 + threadIdx.x];  // @next
        out[(r - 2) * 64 + threadIdx.x] = v[0] + v[1] + v[2];  // @store
    }
}
//= structs_in_shared 1 64 0 | in=f32[64]:random, out=f32[64]
struct Best { float value; int at; };
__global__ void k(const float* in, float* out) {
    __shared__ Best s[64];
    int t = threadIdx.x;
    s[t].value = in[t]; s[t].at = t;  // @fill
    __syncthreads();  // @first
    for (int d = 32; d > 0; d /= 2) {
        if (t < d && s[t + d].value > s[t].value) s[t] = s[t + d];  // @best
        __syncthreads();  // @barrier
    }
    out[t] = s[0].value + s[0].at;
}
//= switch_and_do 1 64 0 | in=i32[64]:random, out=i32[64]
__global__ void k(const int* in, int* out) {
    int v = in[threadIdx.x], r;
    switch (v % 4) {
        case 0: r = v / 2; break;  // @zero
        case 1: r = 3 * v; break;  // @one
        default: r = v - 1;
    }
    int digits = 0;
    do { r /= 10; digits++; } while (r != 0);  // @use
    out[threadIdx.x] = digits;
}
//= references 1 64 0 | in=f32[64]:random, out=f32[64]
__device__ void split(float v, float& whole, float& rest) { whole = floorf(v); rest = v - whole; }
__global__ void k(const float* in, float* out) {
    float whole, rest;
    split(in[threadIdx.x] * 10, whole, rest);  // @split
    out[threadIdx.x] = whole * rest;
}
//= unsigned_hash 2 64 0 | in=u32[128]:random, out=u32[128]
__global__ void k(const unsigned* in, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = 2166136261u;
    for (int b = 0; b < 4; b++) h = (h ^ (in[i] >> (8 * b) & 255)) * 16777619u;  // @hash
    out[i] = h;
}
//= wide_index 2 64 0 | in=f32[128]:random, out=f32[128], pitch=100000
__global__ void k(const float* in, float* out, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long far = (long long)i * pitch * 1000;  // @far
    out[i] = in[i] + (far > 0);  // @store
}
//= matrix_product 2,2 8,8 0 | a=f32[16,24]:random, b=f32[24,16]:random, c=f32[16,16], n=16, m=24
__global__ void k(const float* a, const float* b, float* c, int n, int m) {
    __shared__ float left[8][9], right[8][9];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    float sum = 0;
    for (int j = 0; j < m; j += 8) {
        left[ty][tx] = a[row * m + j + tx];  // @left
        right[ty][tx] = b[(j + ty) * n + col];  // @right
        __syncthreads();  // @one
        for (int q = 0; q < 8; q++) sum += left[ty][q] * right[q][tx];  // @product
        __syncthreads();  // @two
    }
    c[row * n + col] = sum;  // @store
}
//= tree_in_eight_lanes 1 256 0 | in=f32[256]:random, out=f32[1]
__global__ void k(const float* in, float* out) {
    __shared__ float sums[8];
    int t = threadIdx.x;
    float v = in[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
    if (t % 32 == 0) sums[t / 32] = v;
    __syncthreads();
    if (t < 8) {
        v = sums[t];
        for (int d = 4; d > 0; d /= 2)  // @steps
            v += __shfl_down_sync(0xff, v, d);  // @shfl
        if (t == 0) out[0] = v;  // @out
    }
}
//= largest_of_four 2 64 0 | in=i32[128]:arange, out=i32[8]
__global__ void k(const int* in, int* out) {
    int t = threadIdx.x, lane = t % 32, v = in[blockIdx.x * 64 + t], at = t;
    if (lane < 4) {
        for (int d = 2; d > 0; d /= 2) {
            int other = __shfl_down_sync(0xf, v, d);  // @value
            int its = __shfl_down_sync(0xf, at, d);  // @place
            if (other > v) { v = other; at = its; }
        }
        if (lane < 1) out[blockIdx.x * 4 + t / 32 * 2] = v, out[blockIdx.x * 4 + t / 32 * 2 + 1] = at;  // @out
    }
}
//= pairs_in_the_last_warp 1 44 0 | in=f32[44]:random, out=f32[11]
__global__ void k(const float* in, float* out) {
    int t = threadIdx.x;
    float v = in[t];
    v += __shfl_down_sync(0xffffffff, v, 2);  // @two
    v += __shfl_down_sync(0xffffffff, v, 1);  // @one
    if (t % 4 == 0) out[t / 4] = v;  // @out
}
