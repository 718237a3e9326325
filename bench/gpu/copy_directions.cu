// Which directions of copies a device accepts: nvcc -arch=sm_90 copy_directions.cu, then run it.
// tests/data/copy_directions.csv has what was measured; docs/emulator.md says what follows.
#include <cstdio>
__constant__ int symbol[4];
int main() {
    int *device, *other, *pinned, pageable[4] = {1, 2, 3, 4}, more[4];
    cudaMalloc(&device, 16);
    cudaMalloc(&other, 16);
    cudaMallocHost(&pinned, 16);
    cudaMemcpy(device, pageable, 16, cudaMemcpyHostToDevice);
    struct { const char *name; void *memory; } ends[] = {
        {"device", device}, {"pinned", pinned}, {"pageable", pageable}, {"symbol", nullptr}};
    puts("from,to,kind,error");
    for (auto &from : ends)
        for (auto &to : ends)
            for (int kind = 0; kind < 5; ++kind) {
                auto how = (cudaMemcpyKind)kind;
                void *target = to.memory == from.memory ? (to.memory == pageable ? more : (void *)other) : to.memory;
                if (to.memory == from.memory && to.memory == pinned) continue;
                if (from.memory == nullptr && to.memory == nullptr) continue;
                cudaError_t error = from.memory == nullptr ? cudaMemcpyFromSymbol(target, symbol, 16, 0, how)
                                    : to.memory == nullptr ? cudaMemcpyToSymbol(symbol, from.memory, 16, 0, how)
                                                           : cudaMemcpy(target, from.memory, 16, how);
                cudaGetLastError();
                printf("%s,%s,%d,%d\n", from.name, to.name, kind, (int)error);
            }
}
