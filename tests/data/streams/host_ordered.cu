// What orders the host and the memory that copies, sets, and kernels touch: none of this races.
#include <cstdio>
#include <cstdlib>
#include <cstring>

const int N = 4096, BYTES = N * sizeof(float);
__global__ void twice(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
}
float *a, *b, *in, *out, *managed;
cudaStream_t s, t, alone;
cudaEvent_t done;
double sum;
void add_up(const float *from, int n) {
    for (int i = 0; i < n; ++i) sum += from[i];
}
void fill(float *to, int n, float value) {
    for (int i = 0; i < n; ++i) to[i] = value;
}
// A copy that the stream is waited for
void by_the_stream() {
    cudaMemcpyAsync(a, in, BYTES, cudaMemcpyHostToDevice, s);
    twice<<<N / 256, 256, 0, s>>>(a, b, N);
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    add_up(out, N);
    fill(in, N, 1);
}
// An event behind the copy, which another stream waits for
void by_an_event() {
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(alone, done);
    twice<<<N / 256, 256, 0, alone>>>(a, b, N);
    cudaEventSynchronize(done);
    add_up(out, N);
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, alone);
    while (cudaStreamQuery(alone) == cudaErrorNotReady) {}
    add_up(out, N);
}
// A later copy in the default stream, for which the host waits, and which waits for the other one
void by_a_later_copy() {
    float one;
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, t);
    cudaMemcpy(&one, a, sizeof one, cudaMemcpyDeviceToHost);
    add_up(out, N);
}
// Pageable memory: the host waits for a copy to it, and what is copied from it has been read
void pageable() {
    float *own = (float *)malloc(BYTES);
    fill(own, N, 2);
    cudaMemcpyAsync(a, own, BYTES, cudaMemcpyHostToDevice, s);
    fill(own, N, 3);
    cudaMemcpyAsync(own, a, BYTES, cudaMemcpyDeviceToHost, s);
    add_up(own, N);
    free(own);
}
// The host reads what a copy reads
void both_read() {
    cudaMemcpyAsync(a, in, BYTES, cudaMemcpyHostToDevice, s);
    add_up(in, N);
}
// Two buffers, of which the host fills one while the other one is copied
void two_buffers() {
    cudaEvent_t taken[2];
    for (auto &each : taken) cudaEventCreate(&each);
    for (int round = 0; round < 6; ++round) {
        float *buffer = in + round % 2 * (N / 2);
        if (round > 1) cudaEventSynchronize(taken[round % 2]);
        fill(buffer, N / 2, (float)round);
        cudaMemcpyAsync(a, buffer, BYTES / 2, cudaMemcpyHostToDevice, s);
        cudaEventRecord(taken[round % 2], s);
    }
}
// Pieces by streams, each used once its own stream is done, that share pages
void pieces() {
    const int piece = 100;
    cudaStream_t own[3] = {s, t, alone};
    for (int i = 0; i < 3; ++i)
        cudaMemcpyAsync(out + i * piece, b + i * piece, piece * sizeof(float), cudaMemcpyDeviceToHost, own[i]);
    for (int i = 0; i < 3; ++i) {
        cudaStreamSynchronize(own[i]);
        add_up(out + i * piece, piece);
    }
    cudaMemcpyAsync(out, b, 1000, cudaMemcpyDeviceToHost, s);
    fill(out + 300, N - 300, 1);
}
// Managed memory: parts that the kernel does not touch, what it reads, and all of it afterwards
void in_managed_memory() {
    fill(managed, N, 1);
    twice<<<N / 512, 256, 0, s>>>(managed, b, N / 2);
    add_up(managed, N / 2);
    fill(managed + N / 2, N / 2, 2);
    cudaStreamSynchronize(s);
    twice<<<N / 256, 256>>>(a, managed, N);
    cudaDeviceSynchronize();
    add_up(managed, N);
    cudaMemset(managed, 0, BYTES);
    add_up(managed, N);
}
// A function of the host in the stream, and a graph that copies
void CUDART_CB take(void *from) { add_up((const float *)from, N); }
void by_a_call_and_a_graph() {
    cudaMemcpyAsync(out, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, take, out);
    cudaStreamSynchronize(s);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(a, in, BYTES, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(out, a, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    fill(in, N, 4);
    for (int i = 0; i < 2; ++i) {
        cudaGraphLaunch(exec, s);
        cudaStreamSynchronize(s);
        add_up(out, N);
        fill(in, N, 5);
    }
}
// Files, rows, and memory that is freed
void read_and_written() {
    FILE *file = tmpfile();
    cudaMemcpy2DAsync(out, 256, b, 512, 256, 16, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    fwrite(out, 1, BYTES, file);
    rewind(file);
    cudaMemcpyAsync(a, in, BYTES / 2, cudaMemcpyHostToDevice, s);
    if (fread(in + N / 2, 1, BYTES / 2, file) != BYTES / 2) printf("cannot read\n");
    fclose(file);
    float *more;
    cudaMallocHost(&more, BYTES);
    cudaMemcpyAsync(more, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaFreeHost(more);
    cudaMallocHost(&more, BYTES);
    memset(more, 0, BYTES);
    cudaFreeHost(more);
}
int main() {
    for (float **each : {&a, &b}) {
        cudaMalloc(each, BYTES);
        cudaMemset(*each, 0, BYTES);
    }
    cudaMallocHost(&in, BYTES);
    cudaHostAlloc(&out, BYTES, cudaHostAllocDefault);
    cudaMallocManaged(&managed, BYTES);
    fill(in, N, 0);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaDeviceSynchronize();
    for (auto each : {by_the_stream, by_an_event, by_a_later_copy, pageable, both_read, two_buffers, pieces,
                      in_managed_memory, by_a_call_and_a_graph, read_and_written}) {
        each();
        cudaDeviceSynchronize();
    }
    printf("%s %g\n", cudaGetErrorName(cudaGetLastError()), sum);
}
