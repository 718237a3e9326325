// What orders the operations of streams: none of this races.
#include <cstdio>
#include <cstdlib>

const int N = 1024;
__global__ void add(float *a, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += by;
}
__global__ void twice(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
}
__global__ void total(const float *a, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, a[i]);
}
float *a, *b, *sum, *pinned;
cudaStream_t s, t, alone;
cudaEvent_t done, taken;
void by_event() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done, 0);
    twice<<<4, 256, 0, t>>>(a, b, N);
    cudaEventRecord(taken, t);
    cudaStreamWaitEvent(s, taken);
    add<<<4, 256, 0, s>>>(a, N, 1);
}
void by_events_in_turn() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done);
    cudaEventRecord(taken, t);
    cudaStreamWaitEvent(alone, taken);
    twice<<<4, 256, 0, alone>>>(a, b, N);
}
void by_the_host() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaStreamSynchronize(s);
    add<<<4, 256, 0, t>>>(a, N, 1);
    cudaEventRecord(done, t);
    cudaEventSynchronize(done);
    add<<<4, 256, 0, alone>>>(a, N, 1);
    cudaDeviceSynchronize();
    add<<<4, 256, 0, s>>>(a, N, 1);
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    add<<<4, 256, 0, t>>>(a, N, 1);
}
void by_the_default_stream() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<1, 32>>>(b, 32, 1);
    add<<<4, 256, 0, t>>>(a, N, 1);
    cudaMemset(a, 0, N * sizeof(float));
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaEventRecord(done);
    cudaStreamWaitEvent(alone, done);
    add<<<4, 256, 0, alone>>>(a, N, 1);
}
void apart() {
    add<<<2, 256, 0, s>>>(a, N / 2, 1);
    add<<<2, 256, 0, t>>>(a + N / 2, N / 2, 1);
    cudaMemsetAsync(b, 0, N / 2 * sizeof(float), alone);
    twice<<<1, 256, 0, s>>>(a, b + N / 2, N / 4);
}
void both_read() {
    twice<<<4, 256, 0, s>>>(a, b, N);
    total<<<4, 256, 0, t>>>(a, sum, N);
    total<<<4, 256, 0, alone>>>(a, sum, N);
}
void in_pieces() {
    for (int at = 0; at < 4; ++at) {
        cudaStream_t each = at % 2 ? s : t;
        int first = at * N / 4, bytes = N / 4 * sizeof(float);
        cudaMemcpyAsync(a + first, pinned + first, bytes, cudaMemcpyHostToDevice, each);
        twice<<<1, 256, 0, each>>>(a + first, b + first, N / 4);
        cudaMemcpyAsync(pinned + first, b + first, bytes, cudaMemcpyDeviceToHost, each);
    }
}
void by_copies(float *host) {
    cudaMemcpy(a, host, N * sizeof(float), cudaMemcpyHostToDevice);
    add<<<4, 256, 0, alone>>>(a, N, 1);
    cudaMemcpyAsync(host, a, N * sizeof(float), cudaMemcpyDeviceToHost, alone);  // pageable
    add<<<4, 256, 0, s>>>(a, N, 1);
}
void by_a_graph() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done);
    twice<<<4, 256, 0, t>>>(a, b, N);
    cudaEventRecord(taken, t);
    cudaStreamWaitEvent(s, taken);
    add<<<4, 256, 0, s>>>(b, N, 1);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, alone);
    cudaGraphLaunch(exec, alone);
    cudaEventRecord(done, alone);
    cudaStreamWaitEvent(t, done);
    add<<<4, 256, 0, t>>>(b, N, 1);
}
void CUDART_CB called(void *) {}
void by_a_call() {
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaLaunchHostFunc(s, called, nullptr);
    cudaStreamSynchronize(s);
    add<<<4, 256, 0, alone>>>(a, N, 1);
}
void with_its_own_memory() {
    float *c;
    cudaMallocAsync(&c, N * sizeof(float), s);
    twice<<<4, 256, 0, s>>>(a, c, N);
    twice<<<4, 256, 0, s>>>(c, b, N);
    cudaFreeAsync(c, s);
    cudaStreamSynchronize(s);
    cudaMallocAsync(&c, N * sizeof(float), s);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done);
    twice<<<4, 256, 0, t>>>(a, c, N);
    cudaEventRecord(taken, t);
    cudaStreamWaitEvent(alone, taken);
    cudaFreeAsync(c, alone);
    cudaMallocAsync(&c, N * sizeof(float), s);
    cudaStreamSynchronize(s);
    twice<<<4, 256, 0, alone>>>(a, c, N);
    cudaFree(c);
}
int main() {
    float *host = (float *)calloc(N, sizeof(float));
    for (float **each : {&a, &b, &sum}) {
        cudaMalloc(each, N * sizeof(float));
        cudaMemset(*each, 0, N * sizeof(float));
    }
    cudaMallocHost(&pinned, N * sizeof(float));
    for (int i = 0; i < N; ++i) pinned[i] = i;
    cudaStreamCreate(&s);
    cudaStreamCreateWithPriority(&t, 0, -1);
    cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaEventCreateWithFlags(&taken, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    for (auto each : {by_event, by_events_in_turn, by_the_host, by_the_default_stream, apart, both_read,
                      in_pieces, by_a_graph, by_a_call, with_its_own_memory}) {
        each();
        cudaDeviceSynchronize();
    }
    by_copies(host);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    for (cudaStream_t each : {s, t, alone}) cudaStreamDestroy(each);
}
