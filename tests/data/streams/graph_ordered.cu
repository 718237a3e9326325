// Branches of graphs that edges order, or that touch nothing in common: none of this races.
#include <cstdio>

const int N = 1024, BYTES = N * sizeof(float);
__global__ void add(float *a, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += by;
}
__global__ void sum(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
float *a, *b, *c, *in, *out;
cudaStream_t s, t, u, alone;
cudaEvent_t fork_, join_, other;
cudaGraph_t graph;
cudaGraphExec_t exec;
void begin() { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }
void fork_to(cudaStream_t to) {
    cudaEventRecord(fork_, s);
    cudaStreamWaitEvent(to, fork_);
}
void join_from(cudaStream_t from) {
    cudaEventRecord(join_, from);
    cudaStreamWaitEvent(s, join_);
}
void end_and_launch(cudaStream_t in_stream) {
    if (cudaStreamEndCapture(s, &graph) != cudaSuccess) printf("not captured\n");
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, in_stream);
}
void two_branches() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(b, N, 1);
    join_from(t);
    sum<<<4, 256, 0, s>>>(a, b, c, N);
    end_and_launch(s);
}
void three_branches_that_read() {
    begin();
    add<<<4, 256, 0, s>>>(a, N, 1);
    fork_to(t);
    fork_to(u);
    sum<<<2, 256, 0, s>>>(a, a, c, N / 2);
    sum<<<2, 256, 0, t>>>(a, a, c + N / 2, N / 2);
    sum<<<4, 256, 0, u>>>(a, a, b, N);
    join_from(t);
    join_from(u);
    add<<<4, 256, 0, s>>>(a, N, 1);
    end_and_launch(t);
    add<<<4, 256, 0, t>>>(a, N, 1);
}
void copies_in_pieces() {
    begin();
    fork_to(t);
    cudaStream_t own[2] = {s, t};
    for (int i = 0; i < 2; ++i) {
        int at = i * N / 2;
        cudaMemcpyAsync(a + at, in + at, BYTES / 2, cudaMemcpyHostToDevice, own[i]);
        add<<<2, 256, 0, own[i]>>>(a + at, N / 2, 1);
        cudaMemcpyAsync(out + at, a + at, BYTES / 2, cudaMemcpyDeviceToHost, own[i]);
    }
    join_from(t);
    end_and_launch(alone);
    cudaStreamSynchronize(alone);
    printf("%g\n", out[1]);
}
void an_edge_across() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaEventRecord(other, s);
    add<<<4, 256, 0, t>>>(b, N, 1);
    cudaStreamWaitEvent(t, other);
    sum<<<4, 256, 0, t>>>(a, b, c, N);
    join_from(t);
    end_and_launch(s);
}
void by_nodes() {
    int n = N;
    float one = 1;
    cudaGraphNode_t first, second, last, set;
    void *of_a[] = {&a, &n, &one}, *of_b[] = {&b, &n, &one}, *of_all[] = {&a, &b, &c, &n};
    cudaKernelNodeParams asked = {(void *)add, dim3(4), dim3(256), 0, of_a, nullptr};
    cudaMemsetParams zeros = {c, 0, 0, 4, N, 1};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &asked);
    asked.kernelParams = of_b;
    cudaGraphAddKernelNode(&second, graph, nullptr, 0, &asked);
    cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zeros);
    asked.func = (void *)sum;
    asked.kernelParams = of_all;
    cudaGraphNode_t before[] = {first, second, set};
    cudaGraphAddKernelNode(&last, graph, before, 2, &asked);
    cudaGraphAddDependencies(graph, &set, &last, 1);
    cudaGraph_t same;
    cudaGraphClone(&same, graph);
    for (cudaGraph_t each : {graph, same}) {
        cudaGraphInstantiate(&exec, each, 0);
        cudaGraphLaunch(exec, s);
    }
}
void one_graph_in_two_streams() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(b, N, 1);
    join_from(t);
    end_and_launch(s);
    cudaGraphLaunch(exec, t);
    cudaGraphLaunch(exec, alone);
}
void graphs_in_a_graph() {
    cudaGraph_t whole;
    cudaGraphNode_t first, second;
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(b, N, 1);
    join_from(t);
    cudaStreamEndCapture(s, &graph);
    cudaGraphCreate(&whole, 0);
    cudaGraphAddChildGraphNode(&first, whole, nullptr, 0, graph);
    cudaGraphAddChildGraphNode(&second, whole, &first, 1, graph);
    cudaGraphInstantiate(&exec, whole, 0);
    cudaGraphLaunch(exec, alone);
    cudaEventRecord(other, alone);
    cudaStreamWaitEvent(s, other);
    add<<<4, 256, 0, s>>>(a, N, 1);
}
void beside_the_default_stream() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(b, N, 1);
    join_from(t);
    end_and_launch(u);
    add<<<4, 256>>>(b, N, 1);
    cudaGraphLaunch(exec, 0);
    add<<<4, 256, 0, s>>>(a, N, 1);
}
int main() {
    for (float **each : {&a, &b, &c}) {
        cudaMalloc(each, BYTES);
        cudaMemset(*each, 0, BYTES);
    }
    cudaMallocHost(&in, BYTES);
    cudaMallocHost(&out, BYTES);
    for (int i = 0; i < N; ++i) in[i] = (float)i;
    for (cudaStream_t *each : {&s, &t, &u}) cudaStreamCreate(each);
    cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
    for (cudaEvent_t *each : {&fork_, &join_, &other}) cudaEventCreateWithFlags(each, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    for (auto each : {two_branches, three_branches_that_read, copies_in_pieces, an_edge_across, by_nodes,
                      one_graph_in_two_streams, graphs_in_a_graph, beside_the_default_stream}) {
        each();
        cudaDeviceSynchronize();
    }
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
