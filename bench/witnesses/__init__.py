"""What four witnesses say of each kernel question: source, machine code, profiler, clock."""

SEED = 20_261_123
"""Of the inputs: the emulator counts the same ones as the device."""
