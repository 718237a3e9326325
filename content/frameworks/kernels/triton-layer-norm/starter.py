import triton
import triton.language as tl


@triton.jit
def layer_norm(x, weight, bias, eps, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
