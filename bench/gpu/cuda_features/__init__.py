"""Three hundred generated kernels with what CUDA C++ has beyond plain numbers, against a GPU.

    python -m bench.gpu.cuda_features build FOLDER     with nvcc, no GPU: machine code by family
    python -m bench.gpu.cuda_features run FOLDER OUT   with a GPU and Nsight Compute
    python -m bench.gpu.cuda_features record OUT       keeps what it found in tests/data
    python -m bench.gpu.cuda_features compare          the record beside the emulator of today
    python -m bench.gpu.cuda_features ptx              the same from NVRTC's PTX, beside the source
    python -m bench.gpu.cuda_features ptx 300 300      other seeds: the first, and how many

`build` and `run` leave out what is recorded as it is drawn now.
"""
