// Legal ways in which threads hand over data by fences and atomics; tests seed faults in them.
#include <cuda/atomic>
#include <cuda/semaphore>
__device__ void take(int* lock) { while (atomicCAS(lock, 0, 1) != 0) { } }
__device__ void give(int* lock) { atomicExch(lock, 0); }

// A flag in shared memory, from one warp to another.
__global__ void flag(int* a, int* out) {
  __shared__ int up, data;
  if (threadIdx.x == 0) up = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> ready(up);
  if (threadIdx.x == 0) {
    data = 42;
    ready.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 32) {
    while (ready.load(cuda::memory_order_acquire) == 0) { }
    out[0] = data;
  }
}

// All lanes of a warp hand over, through one lane each.
__global__ void warps(int* a, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> ready(a[64]);
  int t = threadIdx.x;
  if (t < 32) {
    a[t] = t * 2;
    __syncwarp(); /*first*/
    if (t == 0) ready.store(1, cuda::memory_order_release);
  } else {
    if (t == 32) while (ready.load(cuda::memory_order_acquire) != 1) { }
    __syncwarp(); /*second*/
    out[t - 32] = a[63 - t];
  }
}

// The last warp of a block adds up what all left.
__global__ void ticket(int* a, int* out) {
  __shared__ int part[4];
  __shared__ int drawn;
  if (threadIdx.x == 0) drawn = 0;
  __syncthreads();
  int sum = __reduce_add_sync(~0u, threadIdx.x);
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = sum;
    cuda::atomic_ref<int, cuda::thread_scope_block> count(drawn);
    if (count.fetch_add(1, cuda::memory_order_acq_rel) == 3)
      out[0] = part[0] + part[1] + part[2] + part[3];
  }
}

// The same with a fence of the block and an atomic function.
__global__ void fenced(int* a, int* out) {
  __shared__ int part[4];
  __shared__ int drawn;
  if (threadIdx.x == 0) drawn = 0;
  __syncthreads();
  int sum = __reduce_add_sync(~0u, threadIdx.x);
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = sum;
    __threadfence_block(); /*first*/
    if (atomicAdd(&drawn, 1) == 3) {
      __threadfence_block(); /*second*/
      out[0] = part[0] + part[1] + part[2] + part[3];
    }
  }
}

// A message from block to block, its flag set by an atomic function.
__global__ void message(int* a, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = 7;
    __threadfence(); /*first*/
    atomicExch(&a[0], 1);
  } else {
    while (atomicAdd(&a[0], 0) == 0) { }
    __threadfence(); /*second*/
    out[0] = a[1];
  }
}

// The same with an object of libcu++ at the scope of the device.
__global__ void scoped(int* a, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(a[0]);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) { }
    out[0] = a[1];
  }
}

// Relaxed accesses between fences of libcu++.
__global__ void apart(int* a, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(a[0]);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) { }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[0] = a[1];
  }
}

// One lane of each warp takes a lock of the block; the others wait for it.
__global__ void locked(int* a, int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) { lock = 0; sum = 0; }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    take(&lock);
    __threadfence_block(); /*first*/
    sum = sum + threadIdx.x;
    __threadfence_block(); /*second*/
    give(&lock);
  }
  __syncwarp();
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}

// The same with one lock for all blocks.
__global__ void locked_grid(int* a, int* out) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&a[0], 0, 1) != 0) { }
    __threadfence(); /*first*/
    out[0] = out[0] + 1;
    __threadfence(); /*second*/
    atomicExch(&a[0], 0);
  }
}

// Every thread does the locked work inside the loop.
__global__ void every(int* a, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(a[0]);
  bool done = false;
  while (!done) {
    int open = 0;
    if (lock.compare_exchange_strong(open, 1, cuda::memory_order_acquire)) {
      out[0] += 1;
      lock.store(0, cuda::memory_order_release);
      done = true;
    }
  }
}

// A lock for each of eight sums.
__global__ void buckets(int* a, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = i & 7;
  for (bool todo = true; todo;) {
    if (atomicExch(&a[k], 1) == 0) {
      __threadfence(); /*first*/
      out[k] += i;
      __threadfence(); /*second*/
      atomicExch(&a[k], 0);
      todo = false;
    }
  }
}

// A flag that is volatile, and fences.
__global__ void polled(volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = 9;
    __threadfence(); /*first*/
    *flag = 1;
  } else {
    while (*flag == 0) { }
    __threadfence(); /*second*/
    out[0] = out[1];
  }
}

// What a warp has seen it hands on to a third one.
__global__ void chain(int* a, int* out) {
  __shared__ int up[2], data;
  if (threadIdx.x < 2) up[threadIdx.x] = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> first(up[0]), second(up[1]);
  if (threadIdx.x == 64) {
    data = 5;
    first.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 32) {
    while (first.load(cuda::memory_order_acquire) == 0) { }
    second.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (second.load(cuda::memory_order_acquire) == 0) { }
    out[0] = data;
  }
}

// Two warps and a ring of two slots, whose ends only one of them moves each.
__global__ void ring(int* a, int* out) {
  __shared__ int slot[2];
  __shared__ int ends[2];
  if (threadIdx.x < 2) ends[threadIdx.x] = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> head(ends[0]), tail(ends[1]);
  if (threadIdx.x == 0) {
    for (int k = 0; k < 6; ++k) {
      while (k - tail.load(cuda::memory_order_acquire) == 2) { }
      slot[k & 1] = k * k;
      head.store(k + 1, cuda::memory_order_release);
    }
  } else if (threadIdx.x == 32) {
    for (int k = 0; k < 6; ++k) {
      while (head.load(cuda::memory_order_acquire) == k) { }
      out[k] = slot[k & 1];
      tail.store(k + 1, cuda::memory_order_release);
    }
  }
}

// Volatile flags however they are written: of the device, by reference, by a cast, a shared number.
__device__ volatile int raised[2];
__device__ bool is_up(volatile int& flag) { return flag != 0; }
__global__ void spelled(int* a, int* out) {
  __shared__ volatile int up;
  int t = threadIdx.x;
  if (t == 0) { up = 0; raised[1] = 0; }
  __syncthreads();
  if (t == 0) { a[1] = 1; __threadfence_block(); up = 1; }
  if (t == 32) { while (up == 0) { } __threadfence_block(); out[0] = a[1]; }
  if (t == 1) { a[2] = 2; __threadfence(); /*first*/ raised[1] += 1; }
  if (t == 33) { while (!is_up(raised[1])) { } __threadfence(); out[1] = a[2]; }
  if (t == 2) { a[3] = 3; __threadfence(); ((volatile int*)a)[4] = 1; }
  if (t == 34) { while (*(volatile int*)(a + 4) != 1) { } __threadfence(); out[2] = a[3]; }
}

// Semaphores of libcu++.
__device__ cuda::binary_semaphore<cuda::thread_scope_device> gate{1};
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> items(0);
__global__ void gated(int* a, int* out) {
  if (threadIdx.x % 32 == 0) {
    gate.acquire();
    out[0] = out[0] + 1;
    gate.release();
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    a[0] = 3;
    items.release(2);
  }
  if (threadIdx.x == 32) {
    items.acquire();
    out[1 + blockIdx.x] = a[0];
  }
}

// A block's warps by a ticket of the block, then blocks by one of the device: what was before the
// first is before the second.
__global__ void scopes(int* a, int* out) {
  __shared__ int drawn;
  if (threadIdx.x == 0) drawn = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> near(drawn);
  cuda::atomic_ref<int, cuda::thread_scope_device> far(a[0]);
  if (threadIdx.x % 32 == 0) {
    a[8 + blockIdx.x * 2 + threadIdx.x / 32] = 1 + blockIdx.x;
    if (near.fetch_add(1, cuda::memory_order_acq_rel) == 1)
      if (far.fetch_add(1, cuda::memory_order_acq_rel) == 1) out[0] = a[8] + a[9] + a[10] + a[11];
  }
}
