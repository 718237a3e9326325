"""The typed program: what front ends lower kernels to, and the lockstep machine runs."""
