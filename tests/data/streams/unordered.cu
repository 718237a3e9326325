// What nothing orders: each race is at a line that ends with its stream and the earlier one's.
#include <cstdio>

const int N = 1024;
__global__ void add(float *a, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += by;
}
__global__ void twice(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
}
float *a, *b, *pinned;
cudaStream_t s, t, alone;
cudaEvent_t done;
void kernels() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    twice<<<4, 256, 0, t>>>(a, b, N);  // 2 1
}
void a_copy_in() {
    twice<<<4, 256, 0, s>>>(a, b, N);
    cudaMemcpyAsync(a, pinned, N * sizeof(float), cudaMemcpyHostToDevice, t);  // 2 1
}
void a_copy_out() {
    cudaMemcpyAsync(pinned, a, N * sizeof(float), cudaMemcpyDeviceToHost, s);
    add<<<4, 256, 0, t>>>(a, N, 1);  // 2 1
}
void a_copy_within() {
    cudaMemcpyAsync(b, a, N * sizeof(float), cudaMemcpyDeviceToDevice, alone);
    twice<<<4, 256, 0, t>>>(a, b, N);  // 2 3
}
void a_set() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaMemsetAsync(a + N / 2, 0, 64, t);  // 2 1
}
void the_default_stream() {
    add<<<4, 256>>>(a, N, 1);
    add<<<4, 256, 0, alone>>>(a, N, 1);  // 3 0
    cudaDeviceSynchronize();
    add<<<4, 256, 0, alone>>>(a, N, 1);
    cudaMemset(a, 0, 64);  // 0 3
}
void an_early_event() {
    cudaEventRecord(done, s);
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaStreamWaitEvent(t, done);
    add<<<4, 256, 0, t>>>(a, N, 1);  // 2 1
}
void a_wait_of_another_stream() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(alone, done);
    cudaStreamSynchronize(t);
    add<<<4, 256, 0, t>>>(a, N, 1);  // 2 1
}
void a_graph() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(a, 0, N * sizeof(float), s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    add<<<4, 256, 0, t>>>(a, N, 1);  // 2 1
}
void a_part() {
    add<<<3, 256, 0, s>>>(a, N / 2 + 1, 1);
    add<<<2, 256, 0, t>>>(a + N / 2, N / 2, 1);  // 2 1
}
void memory_in_the_order_of_a_stream() {
    float *c;
    cudaMallocAsync(&c, N * sizeof(float), s);
    twice<<<4, 256, 0, t>>>(a, c, N);  // 2 1
    cudaStreamSynchronize(s);
    cudaFreeAsync(c, alone);  // 3 2
}
int main() {
    for (float **each : {&a, &b}) {
        cudaMalloc(each, N * sizeof(float));
        cudaMemset(*each, 0, N * sizeof(float));
    }
    cudaMallocHost(&pinned, N * sizeof(float));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaDeviceSynchronize();
    for (auto each : {kernels, a_copy_in, a_copy_out, a_copy_within, a_set, the_default_stream, an_early_event,
                      a_wait_of_another_stream, a_graph, a_part,
                      memory_in_the_order_of_a_stream}) {
        each();
        cudaDeviceSynchronize();
    }
}
