"""Inline PTX: what its instructions do with the values of C++, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

_DRAWN = np.random.Generator(np.random.PCG64(33)).integers(0, 1 << 32, (3, 32), np.uint64)
_A, _B, _C = _DRAWN.astype(np.uint32)
_LANES = np.arange(32, dtype=np.uint32)


def _bytes_of(a, b, selector):
    both = np.concatenate([a.view(np.uint8).reshape(-1, 4), b.view(np.uint8).reshape(-1, 4)], 1)
    picked = [both[:, selector >> 4 * at & 7] for at in range(4)]
    return np.ascontiguousarray(np.stack(picked, 1)).view(np.uint32)[:, 0]


_FORMS = [
    ("lop3.b32 %0, %1, %2, %3, 0xe8;", (_A & _B) | (_A & _C) | (_B & _C)),
    ("prmt.b32 %0, %1, %2, 0x7531;", _bytes_of(_A, _B, 0x7531)),
    ("prmt.b32.f4e %0, %1, %2, 6;", _bytes_of(_A, _B, 0x5432)),
    ("prmt.b32.b4e %0, %1, %2, 2;", _bytes_of(_A, _B, 0x7012)),
    ("prmt.b32.rc8 %0, %1, %2, 3;", _bytes_of(_A, _B, 0x3333)),
    ("prmt.b32.ecl %0, %1, %2, 1;", _bytes_of(_A, _B, 0x3211)),
    ("prmt.b32.ecr %0, %1, %2, 2;", _bytes_of(_A, _B, 0x2210)),
    ("prmt.b32.rc16 %0, %1, %2, 1;", _bytes_of(_A, _B, 0x3232)),
    ("bfe.u32 %0, %1, 5, 9;", _A >> 5 & 0x1FF),
    ("bfi.b32 %0, %1, %2, 8, 4;", (_B & ~np.uint32(0xF00)) | (_A & 15) << 8),
    ("shf.l.wrap.b32 %0, %1, %2, 7;", _B << 7 | _A >> 25),
    ("{ .reg .b32 t; xor.b32 t, %1, %2; and.b32 %0, t, %3; }", (_A ^ _B) & _C),
    ("{ .reg .pred p; mov.u32 %0, %1; setp.lt.u32 p, %1, %2; @p mov.u32 %0, %3; }",
     np.where(_A < _B, _C, _A)),
    ("mov.u32 %0, %%laneid; // of the warp", _LANES),
    ("mov.u32 %0, %%lanemask_lt;", (np.uint32(1) << _LANES) - 1),
    ("add.cc.u32 %0, %1, %2; addc.u32 %0, 0, 0;",
     ((_A.astype(np.uint64) + _B) >> 32).astype(np.uint32)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), _FORMS, ids=lambda each: str(each)[:16])
def test_an_instruction_computes_what_it_says(text, wanted):
    source = f"""
__device__ unsigned f(unsigned a, unsigned b, unsigned c) {{
  unsigned r;
  asm volatile("{text}" : "=&r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}}
__global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out) {{
  int i = threadIdx.x;
  out[i] = f(a[i], b[i], c[i]);
}}
"""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(32, np.uint32)
    done = launch(lowered, 1, 32, [_A.copy(), _B.copy(), _C.copy(), out])
    assert done.findings == ()
    assert out.tolist() == wanted.tolist()


def test_accesses_are_counted_at_the_statement_and_checked():
    source = """
__global__ void k(const float4* a, float* out, float* copied) {
  __shared__ float s[128];
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(a + threadIdx.x));
  asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(v.x) : "f"(v.y), "f"(v.z));
  asm volatile("st.global.f32 [%0+4], %1;" :: "l"(out + threadIdx.x), "f"(v.x) : "memory");
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x * 4]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :: "r"(at), "l"(a + threadIdx.x), "n"(16));
  asm volatile("cp.async.commit_group;" ::);
  asm volatile("cp.async.wait_group %0;" ::"n"(0));
  __syncthreads();
  copied[threadIdx.x] = s[127 - threadIdx.x];
}
"""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    data = np.arange(128, dtype=np.float32)
    out, copied = np.zeros(33, np.float32), np.zeros(32, np.float32)
    done = launch(lowered, 1, 32, [data, out, copied])
    assert done.findings == ()
    assert done.line(5)["global_load_requests"] == 1
    x, y, z, _ = data.reshape(32, 4).T
    assert out[1:].tolist() == (x + y * z).tolist()
    assert copied.tolist() == data[127:95:-1].tolist()
    short = launch(lowered, 1, 32, [data, out[:32].copy(), copied])
    assert [(each.kind, each.line) for each in short.findings] == [("out-of-bounds", 8)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('asm("tcgen05.wait::ld.sync.aligned;");', "cpp.asm-instruction"),
        ('asm("L: bra L;");', "cpp.asm-control"),
        ('asm("mov.u32 %0 %1;" : "=r"(n) : "r"(n));', "cpp.asm-text"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : "r"(d));', "cpp.asm-operand"),
        ('asm("mov.b32 %0, %1;" : "=q"(n) : "r"(n));', "cpp.asm-constraint"),
        ('asm(".shared .b32 s; st.shared.u32 [s], %0;" :: "r"(n));', "cpp.asm-variables"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : "n"(n));', "cpp.not-constant"),
    ],
)
def test_what_is_not_emulated_of_it_says_so(text, code):
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"__global__ void k(int n, double d) {{ {text} }}"), "k")
    assert error.value.what.code == code
    assert (error.value.line, error.value.column > 30) == (1, True)


_RING = """
#define SLOTS 2
__device__ void meet(int bar, int threads) {
  asm volatile("bar.sync %0, %1;" :: "r"(bar), "r"(threads) : "memory");
}
__device__ void come(int bar, int threads) {
  asm volatile("barrier.cta.arrive.aligned %0, %1;" :: "r"(bar), "r"(threads) : "memory");
}
__global__ void k(const int* in, int* out, int rounds) {
  __shared__ int s[SLOTS][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    for (int i = 0; i < rounds; i++) {
      meet(SLOTS + i % SLOTS, 64);
      s[i % SLOTS][lane] = in[i * 32 + lane];
      come(i % SLOTS, 64);
    }
  } else if (warp == 1) {
    for (int i = 0; i < SLOTS; i++) come(SLOTS + i, 64);
    for (int i = 0; i < rounds; i++) {
      meet(i % SLOTS, 64);
      out[i * 32 + lane] = s[i % SLOTS][31 - lane];
      if (i + SLOTS < rounds) come(SLOTS + i % SLOTS, 64);
    }
  }
  int many = 0, all = 0;
  if (warp > 0) {
    asm volatile("{ .reg .pred p, q; setp.ge.s32 p, %2, 40; barrier.red.popc.u32 %0, 9, 64, p;"
                 " bar.red.and.pred q, 10, 64, p; selp.b32 %1, 1, 0, q; }"
                 : "=r"(many), "=r"(all) : "r"((int)threadIdx.x));
  }
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, 64; @p barrier.sync 11, 64; }"
               :: "r"(threadIdx.x));
  asm volatile("bar.sync 0;");
  if (threadIdx.x == 40) out[rounds * 32] = many * 10 + all;
}
"""


def _ring(*edit):
    lowered, _ = lower_kernel(read_cuda(_RING.replace(*edit) if edit else _RING), "k")
    data, out = np.arange(160, dtype=np.int32), np.zeros(161, np.int32)
    done = launch(lowered, 2, 96, [data, out, 5])
    return data, out, {each.what.code: (each.kind, each.line) for each in done.findings}


def test_barriers_of_some_threads_order_what_their_warps_do():
    data, out, found = _ring()
    assert found == {}
    assert out[:160].tolist() == data.reshape(5, 32)[:, ::-1].ravel().tolist()
    assert out[160] == 560


@pytest.mark.parametrize(
    ("edit", "code", "kind"),
    [
        (("if (i + SLOTS < rounds)", "if (i + SLOTS < 4)"), "finding.no-progress.arrivals",
         "no-progress"),
        (("      meet(i % SLOTS, 64);\n", ""), "finding.race", "race"),
        (("come(i % SLOTS, 64)", "come(i % SLOTS, 96)"), "finding.named-count",
         "barrier-divergence"),
        (("meet(i % SLOTS, 64)", "meet(i % SLOTS + 16, 64)"), "finding.named-barrier",
         "barrier-divergence"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_barrier_of_some_threads_is_found(edit, code, kind):
    _, _, found = _ring(*edit)
    assert kind in {each for each, _ in found.values()}, found
    assert code in found


def test_the_wait_for_a_cluster_may_be_inline():
    source = """
__global__ void __cluster_dims__(2) k(int* out) {
  __shared__ int mine;
  if (threadIdx.x == 0) mine = blockIdx.x;
  asm volatile("barrier.cluster.arrive.release.aligned;");
  asm volatile("barrier.cluster.wait.acquire.aligned;");
  unsigned there = (unsigned)__cvta_generic_to_shared(&mine), other = blockIdx.x ^ 1, n;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(there), "r"(other));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(n) : "r"(there));
  out[blockIdx.x * 32 + threadIdx.x] = n;
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
}
"""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(64, np.int32)
    assert launch(lowered, 2, 32, [out]).findings == ()
    assert out.tolist() == [1] * 32 + [0] * 32
