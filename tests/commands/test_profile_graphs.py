"""Streams that are captured, graphs, pools, copies, and drawn numbers of a program's host part."""

from __future__ import annotations

import json
import shutil

import pytest

from quizapp.domain.errors import OK

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)
GRAPHS = """\
#include <cstdio>
__global__ void add(float *a, int n, float v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += v;
}
void say(void *calls) { printf("host %d\\n", ++*(int *)calls); }
int main() {
    float *d, h[64];
    cudaMalloc(&d, sizeof h);
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEvent_t e, f;
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    int calls = 0;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(d, 0, sizeof h, s);
    for (int i = 0; i < 3; ++i) add<<<2, 32, 0, s>>>(d, 64, i + 1.0f);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    add<<<1, 32, 0, t>>>(d, 32, 100.0f);
    cudaLaunchHostFunc(t, say, &calls);
    cudaEventRecord(f, t);
    cudaStreamWaitEvent(s, f, 0);
    cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s);
    size_t count;
    cudaStreamEndCapture(s, &graph);
    cudaGraphGetNodes(graph, nullptr, &count);
    printf("%zu nodes, %d calls\\n", count, calls);
    cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0);
    for (int i = 0; i < 2; ++i) cudaGraphLaunch(made, s);
    cudaStreamSynchronize(s);
    printf("%g %g\\n", h[0], h[63]);

    cudaGraphNode_t set, run, copy;
    int n = 64;
    float v = 5;
    void *given[] = {&d, &n, &v};
    cudaKernelNodeParams launch = {(void *)add, 2, 32, 0, given, nullptr};
    cudaMemsetParams ones = {d, 0, 0x3f800000, 4, 64, 1};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&run, graph, nullptr, 0, &launch);
    cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &ones);
    cudaGraphAddMemcpyNode1D(&copy, graph, &run, 1, h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaGraphAddDependencies(graph, &set, &run, 1);
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, 0);
    v = 50;
    float before = h[5];
    cudaGraphExecKernelNodeSetParams(made, run, &launch);
    cudaGraphLaunch(made, s);
    printf("%g %g\\n", before, h[5]);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    puts(cudaGetErrorName(cudaStreamSynchronize(s)));
    puts(cudaGetErrorName(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost)));
    puts(cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
}
"""
COPIES = """\
#include <cstdio>
#include <cstring>
#include <cmath>
#include <curand.h>
__device__ int numbers[8];
struct List { float *values; List *next; };
__global__ void sum(List *list, float *out) {
    float all = 0;
    for (; list; list = list->next) all += list->values[threadIdx.x];
    out[threadIdx.x] = all;
}
int main() {
    int h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    cudaMemcpyToSymbol(numbers, h, 12, 8);
    cudaMemcpyToSymbolAsync(numbers, h, 8, 20, cudaMemcpyHostToDevice, 0);
    cudaMemcpyFromSymbol(back, numbers, 24, 4);
    for (int each : back) printf("%d ", each);

    cudaPitchedPtr box;
    cudaMalloc3D(&box, make_cudaExtent(5, 3, 2));
    cudaMemset3D(box, 7, make_cudaExtent(5, 3, 2));
    char small[4], from[30];
    memset(from, 1, sizeof from);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, 5, 5, 3);
    copy.dstPtr = box;
    copy.dstPos = make_cudaPos(3, 2, 1);
    copy.extent = make_cudaExtent(2, 1, 1);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaMemcpy2D(small, 2, (char *)box.ptr + box.pitch * 4 + 2, box.pitch, 2, 2, cudaMemcpyDefault);
    printf("%d %d %d %d\\n", small[0], small[1], small[2], small[3]);

    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long most = ~0ull;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most);
    List *list = nullptr;
    for (int i = 0; i < 3; ++i) {
        List *made;
        cudaMallocManaged(&made, sizeof(List));
        cudaMallocManaged(&made->values, 16);
        for (int j = 0; j < 4; ++j) made->values[j] = i * 10 + j;
        made->next = list;
        list = made;
    }
    float *out, sums[4];
    cudaMallocFromPoolAsync(&out, 16, pool, 0);
    sum<<<1, 4>>>(list, out);
    cudaMemcpyPeerAsync(sums, 0, out, 0, 16, 0);
    printf("%g %g\\n", sums[0], sums[3]);

    const int n = 4096;
    curandGenerator_t drawn;
    curandCreateGenerator(&drawn, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(drawn, 1234);
    float *d, values[n];
    unsigned *counts, count[n];
    cudaMalloc(&d, sizeof values);
    cudaMalloc(&counts, sizeof count);
    auto moments = [&](const char *name) {
        cudaMemcpy(values, d, sizeof values, cudaMemcpyDeviceToHost);
        double mean = 0, square = 0;
        for (float each : values) mean += each / n, square += (double)each * each / n;
        printf("%s %.1f %.1f\\n", name, mean, sqrt(square - mean * mean));
    };
    curandGenerateUniform(drawn, d, n);
    moments("uniform");
    curandGenerateNormal(drawn, d, n, 3, 2);
    moments("normal");
    curandGeneratePoisson(drawn, counts, n, 4);
    cudaMemcpy(count, counts, sizeof count, cudaMemcpyDeviceToHost);
    double mean = 0;
    for (unsigned each : count) mean += (double)each / n;
    printf("poisson %.0f\\n", mean);
    printf("%d\\n", curandGenerateUniform(drawn, values, n));
}
"""


@pytest.mark.parametrize(
    ("text", "printed", "launches", "on_cpu"),
    [
        (GRAPHS,
         ("7 nodes, 0 calls\nhost 1\nhost 2\n106 6\n6 51\ncudaErrorStreamCaptureUnsupported\n"
         "cudaErrorStreamCaptureImplicit\ncudaErrorStreamCaptureInvalidated\n"),
         ["add"] * 10, []),
        (COPIES,
         "0 1 2 3 1 2 0 0 7 7 7 1\n30 39\nuniform 0.5 0.3\nnormal 3.0 2.0\npoisson 4\n201\n",
         ["sum"], ["cuRAND"]),
    ],
)  # fmt: skip
def test_what_the_host_asks_of_the_device_is_done_in_order(quiz, text, printed, launches, on_cpu):
    (quiz.folder / "program.cu").write_text(text)
    done = quiz("profile", "program.cu", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["refused"]) == (OK, None)
    assert done.stderr == printed
    assert [each["kernel"] for each in report["launches"]] == launches
    assert report.get("on_cpu", []) == on_cpu
