"""The graders: what the hardware would do, computed. Knows nothing of the application."""
