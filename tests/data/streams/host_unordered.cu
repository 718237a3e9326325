// The host touches memory too early: each race is at a line that ends with who else touches it.
#include <cstdio>
#include <cstring>

const int N = 4096, BYTES = N * sizeof(float);
__global__ void twice(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
}
float *a, *b, *in, *out, *managed;
cudaStream_t s, t;
cudaEvent_t done;
volatile double sum;
// Read before any wait
void at_once() {
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    sum = sum + out[7];  // copy
}
// In the default stream, whose copies do not wait, either
void in_the_default_stream() {
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) sum = sum + out[i];  // copy
}
// Another stream is waited for
void the_wrong_stream() {
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(t);
    sum = sum + out[N - 1];  // copy
}
// The event is recorded before the copy
void an_early_event() {
    twice<<<N / 256, 256, 0, s>>>(a, b, N);
    cudaEventRecord(done, s);
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaEventSynchronize(done);
    sum = sum + out[0];  // copy
}
// The buffer is filled again while it is copied
void filled_again() {
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < N; ++i) in[i] = (float)i;  // copy
        cudaMemcpyAsync(a, in, BYTES, cudaMemcpyHostToDevice, s);
        twice<<<N / 256, 256, 0, s>>>(a, b, N);
    }
}
// One of two pieces that share no page, in two streams
void one_piece() {
    cudaMemcpyAsync(out, b, BYTES / 2, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(out + N / 2, b + N / 2, BYTES / 2, cudaMemcpyDeviceToHost, t);
    cudaStreamSynchronize(s);
    sum = sum + out[0];
    sum = sum + out[N / 2];  // copy
}
// A set of managed memory, in a stream
void a_set() {
    cudaMemsetAsync(managed, 0, BYTES, s);
    managed[1] = 1;  // set
}
// The host writes what a kernel reads
void what_a_kernel_reads() {
    twice<<<N / 256, 256, 0, s>>>(managed, b, N);
    memset(managed, 0, BYTES);  // kernel
}
// A kernel writes; its result is copied within the device, and another stream is waited for
void what_a_kernel_writes() {
    twice<<<N / 256, 256, 0, s>>>(a, managed, N);
    cudaMemcpyAsync(b, managed, BYTES, cudaMemcpyDeviceToDevice, s);
    cudaStreamSynchronize(t);
    sum = sum + managed[5];  // kernel
}
// A graph copies
void a_graph() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    twice<<<N / 256, 256, 0, s>>>(a, b, N);
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    sum = sum + out[0];
    cudaGraphLaunch(exec, t);
    sum = sum + out[3];  // copy
}
int main() {
    for (float **each : {&a, &b}) {
        cudaMalloc(each, BYTES);
        cudaMemset(*each, 0, BYTES);
    }
    cudaMallocHost(&in, BYTES);
    cudaMallocHost(&out, BYTES);
    cudaMallocManaged(&managed, BYTES);
    memset(managed, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&done);
    cudaDeviceSynchronize();
    for (auto each : {at_once, in_the_default_stream, the_wrong_stream, an_early_event, filled_again, one_piece,
                      a_set, what_a_kernel_reads, what_a_kernel_writes, a_graph}) {
        each();
        cudaDeviceSynchronize();
    }
}
