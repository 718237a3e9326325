extern "C" __global__ void __cluster_dims__(2, 2, 1) ranks(unsigned *out) {
    unsigned v[12];
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[4]));
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[5]));
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[6]));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[7]));
    asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[8]));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[9]));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[10]));
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(v[11]));
    if (threadIdx.x == 0)
        for (int i = 0; i < 12; i++) out[(blockIdx.y * gridDim.x + blockIdx.x) * 12 + i] = v[i];
}
