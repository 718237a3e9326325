"""What four witnesses say of each kernel question: source, machine code, profiler, clock."""
