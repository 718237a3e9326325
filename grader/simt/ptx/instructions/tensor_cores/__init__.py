"""Products of matrices on tensor cores: `mma`, `mma.sp`, `wmma`, `wgmma`."""
