"""The event log: its vocabulary, its bounds, and what it comes to."""
