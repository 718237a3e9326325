"""What is counted and what is found: counters, races, reads of uninitialized memory."""
