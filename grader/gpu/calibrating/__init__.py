"""Times accesses on a device, and compares its clock with the bank model."""
