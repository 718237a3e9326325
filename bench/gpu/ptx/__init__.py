"""Computes every emulated PTX instruction on a GPU, and records what it gives.

    python -m bench.gpu.ptx write FOLDER      with ptxas, no GPU: one PTX text, and its operands
    python -m bench.gpu.ptx run FOLDER        on a machine with a GPU: adds the results
    python -m bench.gpu.ptx record FOLDER     keeps them in tests/data/ptx/forms.npz
    python -m bench.gpu.ptx compare           against the emulator

    python -m bench.gpu.ptx programs          the `.cu` files of the questions, by NVRTC; no GPU
    python -m bench.gpu.ptx.pipelines         `mbarrier` and bulk copies, on a machine with a GPU
    python -m bench.gpu.ptx hopper FOLDER     clusters, tensors, `wgmma`, forms of `mma`: likewise
    python -m bench.gpu.ptx.remote            counts of accesses within clusters: likewise, with ncu

`run` and `pipelines` need NumPy and the driver alone.
"""
