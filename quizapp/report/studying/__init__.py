"""What a person has learned, planned, and answered, as lines and as sentences."""
