// Branches of graphs that no edge orders: each race is at a line that ends with the earlier one's name.
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
float *a, *b, *c, *in;
cudaStream_t s, t, u;
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
void end_and_launch() {
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
}
void both_write() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(a, N, 1);  // kernel
    join_from(t);
    end_and_launch();
}
void a_join_too_late() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(b, N, 1);
    sum<<<4, 256, 0, s>>>(a, b, c, N);  // kernel
    join_from(t);
    end_and_launch();
}
void a_fork_too_early() {
    begin();
    fork_to(t);
    cudaMemcpyAsync(a, in, BYTES, cudaMemcpyHostToDevice, s);
    sum<<<4, 256, 0, t>>>(a, a, c, N);  // copy
    join_from(t);
    end_and_launch();
}
void siblings() {
    begin();
    fork_to(t);
    fork_to(u);
    cudaMemsetAsync(b, 0, BYTES, t);
    cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDeviceToDevice, u);  // set
    join_from(t);
    join_from(u);
    end_and_launch();
}
void nodes_without_edges() {
    int n = N;
    float one = 1;
    cudaGraphNode_t first, last;
    void *of_a[] = {&a, &n, &one}, *of_all[] = {&a, &b, &c, &n};
    cudaKernelNodeParams asked = {(void *)add, dim3(4), dim3(256), 0, of_a, nullptr};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &asked);
    asked.func = (void *)sum;
    asked.kernelParams = of_all;
    cudaGraphAddKernelNode(&last, graph, nullptr, 0, &asked);  // kernel
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
}
void an_inner_graph() {
    cudaGraph_t whole;
    cudaGraphNode_t inside, beside;
    begin();
    add<<<4, 256, 0, s>>>(a, N, 1);
    cudaStreamEndCapture(s, &graph);
    cudaGraphCreate(&whole, 0);
    cudaGraphAddChildGraphNode(&inside, whole, nullptr, 0, graph);
    cudaMemsetParams zeros = {a, 0, 0, 4, N, 1};
    cudaGraphAddMemsetNode(&beside, whole, nullptr, 0, &zeros);  // kernel
    cudaGraphInstantiate(&exec, whole, 0);
    cudaGraphLaunch(exec, s);
}
void a_branch_and_a_stream() {
    begin();
    fork_to(t);
    add<<<4, 256, 0, s>>>(a, N, 1);
    add<<<4, 256, 0, t>>>(b, N, 1);
    join_from(t);
    end_and_launch();
    add<<<4, 256, 0, u>>>(b, N, 1);  // kernel
}
int main() {
    for (float **each : {&a, &b, &c}) {
        cudaMalloc(each, BYTES);
        cudaMemset(*each, 0, BYTES);
    }
    cudaMallocHost(&in, BYTES);
    for (cudaStream_t *each : {&s, &t, &u}) cudaStreamCreate(each);
    for (cudaEvent_t *each : {&fork_, &join_, &other}) cudaEventCreateWithFlags(each, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    for (auto each : {both_write, a_join_too_late, a_fork_too_early, siblings, nodes_without_edges, an_inner_graph,
                      a_branch_and_a_stream}) {
        each();
        cudaDeviceSynchronize();
    }
}
