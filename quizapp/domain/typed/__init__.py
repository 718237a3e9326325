"""What people type for a number or for the input of a kernel, read. Pure."""
