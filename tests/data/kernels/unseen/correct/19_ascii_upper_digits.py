"""Upper-cases ASCII text, writes one bit mask of digit positions per 32 bytes, and counts vowels per block."""
import numpy as np
from numba import cuda, int32, uint8

THREADS = 64


@cuda.jit(device=True)
def is_vowel(c):
    if c == 65 or c == 69 or c == 73 or c == 79 or c == 85:
        return int32(1)
    return int32(0)


@cuda.jit
def process(text, upper, digit_mask, vowels):
    i = cuda.grid(1)
    n = text.shape[0]
    c = uint8(32)
    if i < n:
        c = text[i]
        if 97 <= c and c <= 122:
            c = uint8(c - 32)
        upper[i] = c

    digit = 48 <= c and c <= 57
    mask = cuda.ballot_sync(0xFFFFFFFF, digit)
    if cuda.threadIdx.x % 32 == 0 and i < n:
        digit_mask[i // 32] = mask

    count = cuda.syncthreads_count(is_vowel(c))
    if cuda.threadIdx.x == 0:
        vowels[cuda.blockIdx.x] = count


line = b"In 1947 the quick brown fox jumped 13 times over the lazy dog; by 2024 it had retired. "
text = np.frombuffer(line * 7, dtype=np.uint8).copy()
n = text.size
blocks = (n + THREADS - 1) // THREADS
d_upper = cuda.device_array(n, dtype=np.uint8)
d_mask = cuda.device_array((n + 31) // 32, dtype=np.uint32)
d_vowels = cuda.device_array(blocks, dtype=np.int32)
process[blocks, THREADS](cuda.to_device(text), d_upper, d_mask, d_vowels)

upper = bytes(d_upper.copy_to_host())
assert upper == (line * 7).upper()
mask = d_mask.copy_to_host()
bits = [(int(mask[k // 32]) >> (k % 32)) & 1 for k in range(n)]
assert bits == [1 if 48 <= ch <= 57 else 0 for ch in upper]
vowels = d_vowels.copy_to_host()
for b in range(blocks):
    assert vowels[b] == sum(ch in b"AEIOU" for ch in upper[b * THREADS : (b + 1) * THREADS])
print("ok")
