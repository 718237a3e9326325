extern "C" __global__ void gate(const float* logits, int* places, float* weights, int tokens, int experts)
{
    int lane = threadIdx.x, token = blockIdx.x * 4 + threadIdx.y;
    if (token >= tokens)
        return;
}
