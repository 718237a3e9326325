"""Counts kernels as compiled, in the emulator and by Nsight Compute on a GPU, from the same PTX.

    python -m bench.gpu.ptx.counted compile         PTX of all launches (`compile`, `triton`)
    python -m bench.gpu.ptx.counted write FOLDER    ptxas's code and the inputs (`compile`)
    python -m bench.gpu.ptx.counted.device FOLDER   on a GPU: counts with `ncu`, FOLDER/ncu-*.txt
    python -m bench.gpu.ptx.counted record FOLDER   anywhere: tests/data/ptx/counted.csv; `compare`
    python -m bench.gpu.ptx.counted compare         what was recorded with the emulator of today

In brackets are the extras that a step needs; none of them needs a GPU. `write FOLDER --missing`
leaves out what is recorded of the same PTX, and `record` keeps it.
"""
